// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @xor(%lhs: tensor<4xi1>, %rhs: tensor<4xi1>) {
  %0 = stablehlo.xor %lhs, %rhs : tensor<4xi1>
  return
}

// -----

func.func @xor_c1_dynamic(%lhs: tensor<?x?xi1>, %rhs: tensor<?x4xi1>) {
  %0 = stablehlo.xor %lhs, %rhs : (tensor<?x?xi1>, tensor<?x4xi1>) -> tensor<?x?xi1>
  return
}

// -----

func.func @xor_c1_bounded(%lhs: tensor<?xi1, #stablehlo.bounds<7>>, %rhs: tensor<?xi1>) {
  %0 = stablehlo.xor %lhs, %rhs
      : (tensor<?xi1, #stablehlo.bounds<7>>, tensor<?xi1>) -> tensor<?xi1, #stablehlo.bounds<7>>
  return
}

// -----

func.func @xor_c1_lhs_shape(%lhs: tensor<5xi1>, %rhs: tensor<4xi1>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.xor %lhs, %rhs : (tensor<5xi1>, tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @xor_c1_rhs_element_type(%lhs: tensor<4xi1>, %rhs: tensor<4xi8>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.xor %lhs, %rhs : (tensor<4xi1>, tensor<4xi8>) -> tensor<4xi1>
  return
}

// -----

func.func @xor_c1_result_shape(%lhs: tensor<4xi1>, %rhs: tensor<4xi1>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.xor %lhs, %rhs : (tensor<4xi1>, tensor<4xi1>) -> tensor<5xi1>
  return
}

// -----

func.func @xor_c1_result_element_type(%lhs: tensor<4xi1>, %rhs: tensor<4xi1>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.xor %lhs, %rhs : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi8>
  return
}

// -----

// There is no implicit broadcasting.
func.func @xor_c1_scalar(%lhs: tensor<4xi1>, %rhs: tensor<i1>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.xor %lhs, %rhs : (tensor<4xi1>, tensor<i1>) -> tensor<4xi1>
  return
}

// -----

func.func @xor_c1_bounds(%lhs: tensor<?xi1, #stablehlo.bounds<4>>, %rhs: tensor<5xi1>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.xor %lhs, %rhs : (tensor<?xi1, #stablehlo.bounds<4>>, tensor<5xi1>) -> tensor<?xi1>
  return
}

// -----

func.func @xor_i1_f32(%lhs: tensor<4xf32>, %rhs: tensor<4xf32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.xor %lhs, %rhs : tensor<4xf32>
  return
}

// -----

func.func @xor_i2_token(%lhs: tensor<4xi1>, %rhs: !stablehlo.token) {
  // expected-error@+1 {{operand #1 must be ranked tensor of}}
  %0 = "stablehlo.xor"(%lhs, %rhs) : (tensor<4xi1>, !stablehlo.token) -> tensor<4xi1>
  return
}
