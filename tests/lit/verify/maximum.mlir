// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @maximum(%lhs: tensor<1x9xf32>, %rhs: tensor<1x9xf32>) {
  %0 = stablehlo.maximum %lhs, %rhs : tensor<1x9xf32>
  return
}

// -----

func.func @maximum_complex(%lhs: tensor<1x9xcomplex<f32>>, %rhs: tensor<1x9xcomplex<f32>>) {
  %0 = stablehlo.maximum %lhs, %rhs : tensor<1x9xcomplex<f32>>
  return
}

// -----

func.func @maximum_c1_dynamic(%lhs: tensor<?x?xf32>, %rhs: tensor<?x4xf32>) {
  %0 = stablehlo.maximum %lhs, %rhs : (tensor<?x?xf32>, tensor<?x4xf32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @maximum_c1_bounded(%lhs: tensor<?xf32, #stablehlo.bounds<7>>, %rhs: tensor<?xf32>) {
  %0 = stablehlo.maximum %lhs, %rhs
      : (tensor<?xf32, #stablehlo.bounds<7>>, tensor<?xf32>) -> tensor<?xf32, #stablehlo.bounds<7>>
  return
}

// -----

func.func @maximum_c1_quantized(%lhs: tensor<1x9x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<1x9x!quant.uniform<i8:f32, 1.5:-7>>) {
  %0 = stablehlo.maximum %lhs, %rhs
      : (tensor<1x9x!quant.uniform<i8:f32, 0.25:3>>, tensor<1x9x!quant.uniform<i8:f32, 1.5:-7>>)
      -> tensor<1x9x!quant.uniform<i8:f32, 2.0>>
  return
}

// -----

func.func @maximum_c1_lhs_shape(%lhs: tensor<2x9xf32>, %rhs: tensor<1x9xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.maximum %lhs, %rhs : (tensor<2x9xf32>, tensor<1x9xf32>) -> tensor<1x9xf32>
  return
}

// -----

func.func @maximum_c1_rhs_element_type(%lhs: tensor<1x9xf32>, %rhs: tensor<1x9xbf16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.maximum %lhs, %rhs : (tensor<1x9xf32>, tensor<1x9xbf16>) -> tensor<1x9xf32>
  return
}

// -----

func.func @maximum_c1_result_shape(%lhs: tensor<1x9xf32>, %rhs: tensor<1x9xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.maximum %lhs, %rhs : (tensor<1x9xf32>, tensor<1x9xf32>) -> tensor<2x9xf32>
  return
}

// -----

func.func @maximum_c1_result_element_type(%lhs: tensor<1x9xf32>, %rhs: tensor<1x9xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.maximum %lhs, %rhs : (tensor<1x9xf32>, tensor<1x9xf32>) -> tensor<1x9xbf16>
  return
}

// -----

// There is no implicit broadcasting.
func.func @maximum_c1_scalar(%lhs: tensor<1x9xf32>, %rhs: tensor<f32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.maximum %lhs, %rhs : (tensor<1x9xf32>, tensor<f32>) -> tensor<1x9xf32>
  return
}

// -----

func.func @maximum_c1_bounds(%lhs: tensor<?xf32, #stablehlo.bounds<4>>, %rhs: tensor<5xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.maximum %lhs, %rhs : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<5xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @maximum_c1_quantized_and_not(%lhs: tensor<1x9x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<1x9xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.maximum %lhs, %rhs
      : (tensor<1x9x!quant.uniform<i8:f32, 0.25:3>>, tensor<1x9xf32>) -> tensor<1x9x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @maximum_c1_storage_type(%lhs: tensor<1x9x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<1x9x!quant.uniform<u8:f32, 0.25:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.maximum %lhs, %rhs
      : (tensor<1x9x!quant.uniform<i8:f32, 0.25:3>>, tensor<1x9x!quant.uniform<u8:f32, 0.25:3>>)
      -> tensor<1x9x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @maximum_i2_token(%lhs: tensor<1x9xf32>, %rhs: !stablehlo.token) {
  // expected-error@+1 {{operand #1 must be ranked tensor of}}
  %0 = "stablehlo.maximum"(%lhs, %rhs) : (tensor<1x9xf32>, !stablehlo.token) -> tensor<1x9xf32>
  return
}
