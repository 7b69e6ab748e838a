// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @divide(%lhs: tensor<2x7xi32>, %rhs: tensor<2x7xi32>) {
  %0 = stablehlo.divide %lhs, %rhs : tensor<2x7xi32>
  return
}

// -----

func.func @divide_complex(%lhs: tensor<2x7xcomplex<f32>>, %rhs: tensor<2x7xcomplex<f32>>) {
  %0 = stablehlo.divide %lhs, %rhs : tensor<2x7xcomplex<f32>>
  return
}

// -----

func.func @divide_c1_dynamic(%lhs: tensor<2x?xi32>, %rhs: tensor<?x?xi32>) {
  %0 = stablehlo.divide %lhs, %rhs : (tensor<2x?xi32>, tensor<?x?xi32>) -> tensor<2x?xi32>
  return
}

// -----

func.func @divide_c1_bounded(%lhs: tensor<?xi32, #stablehlo.bounds<7>>, %rhs: tensor<?xi32>) {
  %0 = stablehlo.divide %lhs, %rhs
      : (tensor<?xi32, #stablehlo.bounds<7>>, tensor<?xi32>) -> tensor<?xi32, #stablehlo.bounds<7>>
  return
}

// -----

func.func @divide_c1_quantized(%lhs: tensor<2x7x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<2x7x!quant.uniform<i8:f32, 1.5:-7>>) {
  %0 = stablehlo.divide %lhs, %rhs
      : (tensor<2x7x!quant.uniform<i8:f32, 0.25:3>>, tensor<2x7x!quant.uniform<i8:f32, 1.5:-7>>)
      -> tensor<2x7x!quant.uniform<i8:f32, 2.0>>
  return
}

// -----

func.func @divide_c1_lhs_shape(%lhs: tensor<2x8xi32>, %rhs: tensor<2x7xi32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.divide %lhs, %rhs : (tensor<2x8xi32>, tensor<2x7xi32>) -> tensor<2x7xi32>
  return
}

// -----

func.func @divide_c1_rhs_element_type(%lhs: tensor<2x7xi32>, %rhs: tensor<2x7xui32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.divide %lhs, %rhs : (tensor<2x7xi32>, tensor<2x7xui32>) -> tensor<2x7xi32>
  return
}

// -----

func.func @divide_c1_result_shape(%lhs: tensor<2x7xi32>, %rhs: tensor<2x7xi32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.divide %lhs, %rhs : (tensor<2x7xi32>, tensor<2x7xi32>) -> tensor<2x8xi32>
  return
}

// -----

func.func @divide_c1_result_element_type(%lhs: tensor<2x7xi32>, %rhs: tensor<2x7xi32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.divide %lhs, %rhs : (tensor<2x7xi32>, tensor<2x7xi32>) -> tensor<2x7xui32>
  return
}

// -----

// There is no implicit broadcasting.
func.func @divide_c1_scalar(%lhs: tensor<2x7xi32>, %rhs: tensor<i32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.divide %lhs, %rhs : (tensor<2x7xi32>, tensor<i32>) -> tensor<2x7xi32>
  return
}

// -----

func.func @divide_c1_bounds(%lhs: tensor<?xi32, #stablehlo.bounds<4>>, %rhs: tensor<5xi32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.divide %lhs, %rhs : (tensor<?xi32, #stablehlo.bounds<4>>, tensor<5xi32>) -> tensor<?xi32>
  return
}

// -----

func.func @divide_c1_quantized_and_not(%lhs: tensor<2x7x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<2x7xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.divide %lhs, %rhs
      : (tensor<2x7x!quant.uniform<i8:f32, 0.25:3>>, tensor<2x7xf32>) -> tensor<2x7x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @divide_c1_storage_type(%lhs: tensor<2x7x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<2x7x!quant.uniform<u8:f32, 0.25:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.divide %lhs, %rhs
      : (tensor<2x7x!quant.uniform<i8:f32, 0.25:3>>, tensor<2x7x!quant.uniform<u8:f32, 0.25:3>>)
      -> tensor<2x7x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @divide_i1_i1(%lhs: tensor<2x7xi1>, %rhs: tensor<2x7xi1>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.divide %lhs, %rhs : tensor<2x7xi1>
  return
}

// -----

func.func @divide_i2_token(%lhs: tensor<2x7xi32>, %rhs: !stablehlo.token) {
  // expected-error@+1 {{operand #1 must be ranked tensor of}}
  %0 = "stablehlo.divide"(%lhs, %rhs) : (tensor<2x7xi32>, !stablehlo.token) -> tensor<2x7xi32>
  return
}
