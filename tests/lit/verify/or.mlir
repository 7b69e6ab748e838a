// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @or(%lhs: tensor<3x5xi1>, %rhs: tensor<3x5xi1>) {
  %0 = stablehlo.or %lhs, %rhs : tensor<3x5xi1>
  return
}

// -----

func.func @or_c1_dynamic(%lhs: tensor<2x?xi1>, %rhs: tensor<?x?xi1>) {
  %0 = stablehlo.or %lhs, %rhs : (tensor<2x?xi1>, tensor<?x?xi1>) -> tensor<2x?xi1>
  return
}

// -----

func.func @or_c1_bounded(%lhs: tensor<?xi1, #stablehlo.bounds<7>>, %rhs: tensor<?xi1>) {
  %0 = stablehlo.or %lhs, %rhs
      : (tensor<?xi1, #stablehlo.bounds<7>>, tensor<?xi1>) -> tensor<?xi1, #stablehlo.bounds<7>>
  return
}

// -----

func.func @or_c1_lhs_shape(%lhs: tensor<3x6xi1>, %rhs: tensor<3x5xi1>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.or %lhs, %rhs : (tensor<3x6xi1>, tensor<3x5xi1>) -> tensor<3x5xi1>
  return
}

// -----

func.func @or_c1_rhs_element_type(%lhs: tensor<3x5xi1>, %rhs: tensor<3x5xi8>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.or %lhs, %rhs : (tensor<3x5xi1>, tensor<3x5xi8>) -> tensor<3x5xi1>
  return
}

// -----

func.func @or_c1_result_shape(%lhs: tensor<3x5xi1>, %rhs: tensor<3x5xi1>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.or %lhs, %rhs : (tensor<3x5xi1>, tensor<3x5xi1>) -> tensor<3x6xi1>
  return
}

// -----

func.func @or_c1_result_element_type(%lhs: tensor<3x5xi1>, %rhs: tensor<3x5xi1>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.or %lhs, %rhs : (tensor<3x5xi1>, tensor<3x5xi1>) -> tensor<3x5xi8>
  return
}

// -----

// There is no implicit broadcasting.
func.func @or_c1_scalar(%lhs: tensor<3x5xi1>, %rhs: tensor<i1>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.or %lhs, %rhs : (tensor<3x5xi1>, tensor<i1>) -> tensor<3x5xi1>
  return
}

// -----

func.func @or_c1_bounds(%lhs: tensor<?xi1, #stablehlo.bounds<4>>, %rhs: tensor<5xi1>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.or %lhs, %rhs : (tensor<?xi1, #stablehlo.bounds<4>>, tensor<5xi1>) -> tensor<?xi1>
  return
}

// -----

func.func @or_i1_f32(%lhs: tensor<3x5xf32>, %rhs: tensor<3x5xf32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.or %lhs, %rhs : tensor<3x5xf32>
  return
}

// -----

func.func @or_i2_token(%lhs: tensor<3x5xi1>, %rhs: !stablehlo.token) {
  // expected-error@+1 {{operand #1 must be ranked tensor of}}
  %0 = "stablehlo.or"(%lhs, %rhs) : (tensor<3x5xi1>, !stablehlo.token) -> tensor<3x5xi1>
  return
}
