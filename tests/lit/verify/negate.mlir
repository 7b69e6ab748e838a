// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @negate(%operand: tensor<2x3x4xi32>) {
  %0 = stablehlo.negate %operand : tensor<2x3x4xi32>
  return
}

// -----

func.func @negate_complex(%operand: tensor<2x3x4xcomplex<f64>>) {
  %0 = stablehlo.negate %operand : tensor<2x3x4xcomplex<f64>>
  return
}

// -----

// Where one side knows a dimension and the other does not, they are compatible.
func.func @negate_c1_dynamic(%operand: tensor<?x5xi32>) {
  %0 = stablehlo.negate %operand : (tensor<?x5xi32>) -> tensor<3x?xi32>
  return
}

// -----

func.func @negate_c1_bounded(%operand: tensor<?x2xi32, #stablehlo.bounds<6, ?>>) {
  %0 = stablehlo.negate %operand : tensor<?x2xi32, #stablehlo.bounds<6, ?>>
  return
}

// -----

// Scale and zero point are not part of the baseline type.
func.func @negate_c1_quantized(%operand: tensor<2x3x4x!quant.uniform<i8:f32, 0.25:3>>) {
  %0 = stablehlo.negate %operand
      : (tensor<2x3x4x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<2x3x4x!quant.uniform<i8:f32, 1.5:-7>>
  return
}

// -----

func.func @negate_c1_shape(%operand: tensor<2x3x4xi32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.negate %operand : (tensor<2x3x4xi32>) -> tensor<2x3x5xi32>
  return
}

// -----

func.func @negate_c1_rank(%operand: tensor<2x3x4xi32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.negate %operand : (tensor<2x3x4xi32>) -> tensor<1x2x3x4xi32>
  return
}

// -----

func.func @negate_c1_element_type(%operand: tensor<2x3x4xi32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.negate %operand : (tensor<2x3x4xi32>) -> tensor<2x3x4xi16>
  return
}

// -----

func.func @negate_c1_bounds(%operand: tensor<?xi32, #stablehlo.bounds<4>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.negate %operand : (tensor<?xi32, #stablehlo.bounds<4>>) -> tensor<6xi32>
  return
}

// -----

func.func @negate_c1_storage_type(%operand: tensor<2x3x4x!quant.uniform<i8:f32, 0.25:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.negate %operand
      : (tensor<2x3x4x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<2x3x4x!quant.uniform<i4:f32, 0.25:3>>
  return
}

// -----

func.func @negate_c1_expressed_type(%operand: tensor<2x3x4x!quant.uniform<i8:f32, 0.25:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.negate %operand
      : (tensor<2x3x4x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<2x3x4x!quant.uniform<i8:bf16, 0.25:3>>
  return
}

// -----

func.func @negate_c1_quantized_invalid(%operand: tensor<2x3x4x!quant.uniform<i8:f32, 0.25:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.negate %operand : (tensor<2x3x4x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @negate_i1_per_axis(%operand: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.negate %operand : tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// -----

func.func @negate_i1_i1(%operand: tensor<2x3x4xi1>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.negate %operand : tensor<2x3x4xi1>
  return
}

// -----

func.func @negate_i1_unranked(%operand: tensor<*xi32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.negate %operand : tensor<*xi32>
  return
}
