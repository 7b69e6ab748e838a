// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @ceil(%operand: tensor<2x7xf32>) {
  %0 = stablehlo.ceil %operand : tensor<2x7xf32>
  return
}

// -----

// Where one side knows a dimension and the other does not, they are compatible.
func.func @ceil_c1_dynamic(%operand: tensor<?x5xf32>) {
  %0 = stablehlo.ceil %operand : (tensor<?x5xf32>) -> tensor<3x?xf32>
  return
}

// -----

func.func @ceil_c1_bounded(%operand: tensor<?x2xf32, #stablehlo.bounds<6, ?>>) {
  %0 = stablehlo.ceil %operand : tensor<?x2xf32, #stablehlo.bounds<6, ?>>
  return
}

// -----

// Scale and zero point are not part of the baseline type.
func.func @ceil_c1_quantized(%operand: tensor<2x7x!quant.uniform<i8:f32, 0.25:3>>) {
  %0 = stablehlo.ceil %operand
      : (tensor<2x7x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<2x7x!quant.uniform<i8:f32, 1.5:-7>>
  return
}

// -----

func.func @ceil_c1_shape(%operand: tensor<2x7xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.ceil %operand : (tensor<2x7xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @ceil_c1_rank(%operand: tensor<2x7xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.ceil %operand : (tensor<2x7xf32>) -> tensor<1x2x7xf32>
  return
}

// -----

func.func @ceil_c1_element_type(%operand: tensor<2x7xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.ceil %operand : (tensor<2x7xf32>) -> tensor<2x7xf64>
  return
}

// -----

func.func @ceil_c1_bounds(%operand: tensor<?xf32, #stablehlo.bounds<4>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.ceil %operand : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<6xf32>
  return
}

// -----

func.func @ceil_c1_storage_type(%operand: tensor<2x7x!quant.uniform<i8:f32, 0.25:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.ceil %operand
      : (tensor<2x7x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<2x7x!quant.uniform<i4:f32, 0.25:3>>
  return
}

// -----

func.func @ceil_c1_expressed_type(%operand: tensor<2x7x!quant.uniform<i8:f32, 0.25:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.ceil %operand
      : (tensor<2x7x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<2x7x!quant.uniform<i8:bf16, 0.25:3>>
  return
}

// -----

func.func @ceil_c1_quantized_invalid(%operand: tensor<2x7x!quant.uniform<i8:f32, 0.25:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.ceil %operand : (tensor<2x7x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<2x7xf32>
  return
}

// -----

func.func @ceil_i1_per_axis(%operand: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.ceil %operand : tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// -----

func.func @ceil_i1_i8(%operand: tensor<2x7xi8>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.ceil %operand : tensor<2x7xi8>
  return
}

// -----

func.func @ceil_i1_complex(%operand: tensor<2x7xcomplex<f32>>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.ceil %operand : tensor<2x7xcomplex<f32>>
  return
}

// -----

func.func @ceil_i1_unranked(%operand: tensor<*xf32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.ceil %operand : tensor<*xf32>
  return
}
