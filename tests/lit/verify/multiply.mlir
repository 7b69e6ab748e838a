// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @multiply(%lhs: tensor<8x1xf64>, %rhs: tensor<8x1xf64>) {
  %0 = stablehlo.multiply %lhs, %rhs : tensor<8x1xf64>
  return
}

// -----

func.func @multiply_complex(%lhs: tensor<8x1xcomplex<f32>>, %rhs: tensor<8x1xcomplex<f32>>) {
  %0 = stablehlo.multiply %lhs, %rhs : tensor<8x1xcomplex<f32>>
  return
}

// -----

func.func @multiply_c1_dynamic(%lhs: tensor<?xf64>, %rhs: tensor<?xf64>) {
  %0 = stablehlo.multiply %lhs, %rhs : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @multiply_c1_bounded(%lhs: tensor<?xf64, #stablehlo.bounds<7>>, %rhs: tensor<?xf64>) {
  %0 = stablehlo.multiply %lhs, %rhs
      : (tensor<?xf64, #stablehlo.bounds<7>>, tensor<?xf64>) -> tensor<?xf64, #stablehlo.bounds<7>>
  return
}

// -----

func.func @multiply_c1_quantized(%lhs: tensor<8x1x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<8x1x!quant.uniform<i8:f32, 1.5:-7>>) {
  %0 = stablehlo.multiply %lhs, %rhs
      : (tensor<8x1x!quant.uniform<i8:f32, 0.25:3>>, tensor<8x1x!quant.uniform<i8:f32, 1.5:-7>>)
      -> tensor<8x1x!quant.uniform<i8:f32, 2.0>>
  return
}

// -----

func.func @multiply_c1_lhs_shape(%lhs: tensor<7x1xf64>, %rhs: tensor<8x1xf64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.multiply %lhs, %rhs : (tensor<7x1xf64>, tensor<8x1xf64>) -> tensor<8x1xf64>
  return
}

// -----

func.func @multiply_c1_rhs_element_type(%lhs: tensor<8x1xf64>, %rhs: tensor<8x1xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.multiply %lhs, %rhs : (tensor<8x1xf64>, tensor<8x1xf32>) -> tensor<8x1xf64>
  return
}

// -----

func.func @multiply_c1_result_shape(%lhs: tensor<8x1xf64>, %rhs: tensor<8x1xf64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.multiply %lhs, %rhs : (tensor<8x1xf64>, tensor<8x1xf64>) -> tensor<7x1xf64>
  return
}

// -----

func.func @multiply_c1_result_element_type(%lhs: tensor<8x1xf64>, %rhs: tensor<8x1xf64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.multiply %lhs, %rhs : (tensor<8x1xf64>, tensor<8x1xf64>) -> tensor<8x1xf32>
  return
}

// -----

// There is no implicit broadcasting.
func.func @multiply_c1_scalar(%lhs: tensor<8x1xf64>, %rhs: tensor<f64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.multiply %lhs, %rhs : (tensor<8x1xf64>, tensor<f64>) -> tensor<8x1xf64>
  return
}

// -----

func.func @multiply_c1_bounds(%lhs: tensor<?xf64, #stablehlo.bounds<4>>, %rhs: tensor<5xf64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.multiply %lhs, %rhs : (tensor<?xf64, #stablehlo.bounds<4>>, tensor<5xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @multiply_c1_quantized_and_not(%lhs: tensor<8x1x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<8x1xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.multiply %lhs, %rhs
      : (tensor<8x1x!quant.uniform<i8:f32, 0.25:3>>, tensor<8x1xf32>) -> tensor<8x1x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @multiply_c1_storage_type(%lhs: tensor<8x1x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<8x1x!quant.uniform<u8:f32, 0.25:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.multiply %lhs, %rhs
      : (tensor<8x1x!quant.uniform<i8:f32, 0.25:3>>, tensor<8x1x!quant.uniform<u8:f32, 0.25:3>>)
      -> tensor<8x1x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @multiply_i2_token(%lhs: tensor<8x1xf64>, %rhs: !stablehlo.token) {
  // expected-error@+1 {{operand #1 must be ranked tensor of}}
  %0 = "stablehlo.multiply"(%lhs, %rhs) : (tensor<8x1xf64>, !stablehlo.token) -> tensor<8x1xf64>
  return
}
