// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @remainder(%lhs: tensor<5x0xi64>, %rhs: tensor<5x0xi64>) {
  %0 = stablehlo.remainder %lhs, %rhs : tensor<5x0xi64>
  return
}

// -----

func.func @remainder_complex(%lhs: tensor<5x0xcomplex<f32>>, %rhs: tensor<5x0xcomplex<f32>>) {
  %0 = stablehlo.remainder %lhs, %rhs : tensor<5x0xcomplex<f32>>
  return
}

// -----

func.func @remainder_c1_dynamic(%lhs: tensor<?x?xi64>, %rhs: tensor<?x4xi64>) {
  %0 = stablehlo.remainder %lhs, %rhs : (tensor<?x?xi64>, tensor<?x4xi64>) -> tensor<?x?xi64>
  return
}

// -----

func.func @remainder_c1_bounded(%lhs: tensor<?xi64, #stablehlo.bounds<7>>, %rhs: tensor<?xi64>) {
  %0 = stablehlo.remainder %lhs, %rhs
      : (tensor<?xi64, #stablehlo.bounds<7>>, tensor<?xi64>) -> tensor<?xi64, #stablehlo.bounds<7>>
  return
}

// -----

func.func @remainder_c1_quantized(%lhs: tensor<5x0x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<5x0x!quant.uniform<i8:f32, 1.5:-7>>) {
  %0 = stablehlo.remainder %lhs, %rhs
      : (tensor<5x0x!quant.uniform<i8:f32, 0.25:3>>, tensor<5x0x!quant.uniform<i8:f32, 1.5:-7>>)
      -> tensor<5x0x!quant.uniform<i8:f32, 2.0>>
  return
}

// -----

func.func @remainder_c1_lhs_shape(%lhs: tensor<5x1xi64>, %rhs: tensor<5x0xi64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.remainder %lhs, %rhs : (tensor<5x1xi64>, tensor<5x0xi64>) -> tensor<5x0xi64>
  return
}

// -----

func.func @remainder_c1_rhs_element_type(%lhs: tensor<5x0xi64>, %rhs: tensor<5x0xi32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.remainder %lhs, %rhs : (tensor<5x0xi64>, tensor<5x0xi32>) -> tensor<5x0xi64>
  return
}

// -----

func.func @remainder_c1_result_shape(%lhs: tensor<5x0xi64>, %rhs: tensor<5x0xi64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.remainder %lhs, %rhs : (tensor<5x0xi64>, tensor<5x0xi64>) -> tensor<5x1xi64>
  return
}

// -----

func.func @remainder_c1_result_element_type(%lhs: tensor<5x0xi64>, %rhs: tensor<5x0xi64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.remainder %lhs, %rhs : (tensor<5x0xi64>, tensor<5x0xi64>) -> tensor<5x0xi32>
  return
}

// -----

// There is no implicit broadcasting.
func.func @remainder_c1_scalar(%lhs: tensor<5x0xi64>, %rhs: tensor<i64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.remainder %lhs, %rhs : (tensor<5x0xi64>, tensor<i64>) -> tensor<5x0xi64>
  return
}

// -----

func.func @remainder_c1_bounds(%lhs: tensor<?xi64, #stablehlo.bounds<4>>, %rhs: tensor<5xi64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.remainder %lhs, %rhs : (tensor<?xi64, #stablehlo.bounds<4>>, tensor<5xi64>) -> tensor<?xi64>
  return
}

// -----

func.func @remainder_c1_quantized_and_not(%lhs: tensor<5x0x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<5x0xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.remainder %lhs, %rhs
      : (tensor<5x0x!quant.uniform<i8:f32, 0.25:3>>, tensor<5x0xf32>) -> tensor<5x0x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @remainder_c1_storage_type(%lhs: tensor<5x0x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<5x0x!quant.uniform<u8:f32, 0.25:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.remainder %lhs, %rhs
      : (tensor<5x0x!quant.uniform<i8:f32, 0.25:3>>, tensor<5x0x!quant.uniform<u8:f32, 0.25:3>>)
      -> tensor<5x0x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @remainder_i1_i1(%lhs: tensor<5x0xi1>, %rhs: tensor<5x0xi1>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.remainder %lhs, %rhs : tensor<5x0xi1>
  return
}

// -----

func.func @remainder_i2_token(%lhs: tensor<5x0xi64>, %rhs: !stablehlo.token) {
  // expected-error@+1 {{operand #1 must be ranked tensor of}}
  %0 = "stablehlo.remainder"(%lhs, %rhs) : (tensor<5x0xi64>, !stablehlo.token) -> tensor<5x0xi64>
  return
}
