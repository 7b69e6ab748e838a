// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @bounds(%value: tensor<?x3x?xf32, #stablehlo.bounds<4, ?, ?>>) {
  return
}

// -----

// expected-error@+1 {{Bounds length is 1, expected to be equal to rank(2) of the tensor}}
func.func @bounds_length(%value: tensor<?x3xf32, #stablehlo.bounds<4>>) {
  return
}

// -----

// expected-error@+1 {{Static dimension 1 cannot have a bound, use ShapedType::kDynamic to indicate a missing bound}}
func.func @bounds_static(%value: tensor<?x3xf32, #stablehlo.bounds<4, 5>>) {
  return
}

// -----

// expected-error@+1 {{unknown stablehlo type: stream}}
func.func @unknown_type(%value: !stablehlo.stream) {
  return
}

// -----

func.func @quantized(%value: tensor<2x!quant.uniform<i8<-100:100>:f32:0, {0.5:-3, 0.25:100}>>) {
  %0 = stablehlo.add %value, %value : tensor<2x!quant.uniform<i8<-100:100>:f32:0, {0.5:-3, 0.25:100}>>
  return
}

// -----

// The quantized dimension is one of the tensor's.
func.func @quantization_dimension(%value: tensor<2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.add %value, %value : tensor<2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}

// -----

// There is a scale for each slice.
func.func @quantization_scales(%value: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25, 0.125}>>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.add %value, %value : tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25, 0.125}>>
  return
}

// -----

// expected-error@+1 {{scale -5.000000e-01 out of expressed type range [1.401298e-45, 3.402823e+38]}}
func.func @quantization_scale_negative(%value: tensor<2x!quant.uniform<i8:f32, -0.5>>) {
  return
}

// -----

// expected-error@+1 {{scale 0.000000e+00 out of expressed type range [1.401298e-45, 3.402823e+38]}}
func.func @quantization_scale_zero(%value: tensor<2x!quant.uniform<i8:f32, 0.0>>) {
  return
}

// -----

// The zero point is a value of the storage type.
func.func @quantization_zero_point(%value: tensor<2x!quant.uniform<i8:f32, 0.5:300>>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.add %value, %value : tensor<2x!quant.uniform<i8:f32, 0.5:300>>
  return
}

// -----

// expected-error@+1 {{illegal storage type maximum: 400}}
func.func @quantization_storage_range(%value: tensor<2x!quant.uniform<i8<-4:400>:f32, 0.5>>) {
  return
}

// -----

func.func @quantization_storage_type(%value: tensor<2x!quant.uniform<i7:f32, 0.5>>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.add %value, %value : tensor<2x!quant.uniform<i7:f32, 0.5>>
  return
}

// -----

func.func @element_type_width(%value: tensor<2xi24>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.add %value, %value : tensor<2xi24>
  return
}

// -----

func.func @element_type_index(%value: tensor<2xindex>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.add %value, %value : tensor<2xindex>
  return
}

// -----

func.func @complex_of_half(%value: tensor<2xcomplex<f16>>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.negate %value : tensor<2xcomplex<f16>>
  return
}

// -----

func.func @vector(%value: vector<2xf32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = "stablehlo.negate"(%value) : (vector<2xf32>) -> vector<2xf32>
  return
}

// -----

func.func @unranked(%value: tensor<*xf32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = "stablehlo.negate"(%value) : (tensor<*xf32>) -> tensor<*xf32>
  return
}
