// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @round_nearest_even(%operand: tensor<8x1xf32>) {
  %0 = stablehlo.round_nearest_even %operand : tensor<8x1xf32>
  return
}

// -----

// Where one side knows a dimension and the other does not, they are compatible.
func.func @round_nearest_even_c1_dynamic(%operand: tensor<?x?xf32>) {
  %0 = stablehlo.round_nearest_even %operand : (tensor<?x?xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @round_nearest_even_c1_bounded(%operand: tensor<?x2xf32, #stablehlo.bounds<6, ?>>) {
  %0 = stablehlo.round_nearest_even %operand : tensor<?x2xf32, #stablehlo.bounds<6, ?>>
  return
}

// -----

// Scale and zero point are not part of the baseline type.
func.func @round_nearest_even_c1_quantized(%operand: tensor<8x1x!quant.uniform<i8:f32, 0.25:3>>) {
  %0 = stablehlo.round_nearest_even %operand
      : (tensor<8x1x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<8x1x!quant.uniform<i8:f32, 1.5:-7>>
  return
}

// -----

func.func @round_nearest_even_c1_shape(%operand: tensor<8x1xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.round_nearest_even %operand : (tensor<8x1xf32>) -> tensor<7x1xf32>
  return
}

// -----

func.func @round_nearest_even_c1_rank(%operand: tensor<8x1xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.round_nearest_even %operand : (tensor<8x1xf32>) -> tensor<1x8x1xf32>
  return
}

// -----

func.func @round_nearest_even_c1_element_type(%operand: tensor<8x1xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.round_nearest_even %operand : (tensor<8x1xf32>) -> tensor<8x1xf64>
  return
}

// -----

func.func @round_nearest_even_c1_bounds(%operand: tensor<?xf32, #stablehlo.bounds<4>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.round_nearest_even %operand : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<6xf32>
  return
}

// -----

func.func @round_nearest_even_c1_storage_type(%operand: tensor<8x1x!quant.uniform<i8:f32, 0.25:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.round_nearest_even %operand
      : (tensor<8x1x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<8x1x!quant.uniform<i4:f32, 0.25:3>>
  return
}

// -----

func.func @round_nearest_even_c1_expressed_type(%operand: tensor<8x1x!quant.uniform<i8:f32, 0.25:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.round_nearest_even %operand
      : (tensor<8x1x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<8x1x!quant.uniform<i8:bf16, 0.25:3>>
  return
}

// -----

func.func @round_nearest_even_c1_quantized_invalid(%operand: tensor<8x1x!quant.uniform<i8:f32, 0.25:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.round_nearest_even %operand : (tensor<8x1x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<8x1xf32>
  return
}

// -----

func.func @round_nearest_even_i1_per_axis(%operand: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.round_nearest_even %operand : tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// -----

func.func @round_nearest_even_i1_i8(%operand: tensor<8x1xi8>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.round_nearest_even %operand : tensor<8x1xi8>
  return
}

// -----

func.func @round_nearest_even_i1_complex(%operand: tensor<8x1xcomplex<f32>>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.round_nearest_even %operand : tensor<8x1xcomplex<f32>>
  return
}

// -----

func.func @round_nearest_even_i1_unranked(%operand: tensor<*xf32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.round_nearest_even %operand : tensor<*xf32>
  return
}
