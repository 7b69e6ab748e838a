// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @shift_left(%lhs: tensor<2x7xi32>, %rhs: tensor<2x7xi32>) {
  %0 = stablehlo.shift_left %lhs, %rhs : tensor<2x7xi32>
  return
}

// -----

func.func @shift_left_c1_dynamic(%lhs: tensor<?x5xi32>, %rhs: tensor<3x?xi32>) {
  %0 = stablehlo.shift_left %lhs, %rhs : (tensor<?x5xi32>, tensor<3x?xi32>) -> tensor<?x5xi32>
  return
}

// -----

func.func @shift_left_c1_bounded(%lhs: tensor<?xi32, #stablehlo.bounds<7>>, %rhs: tensor<?xi32>) {
  %0 = stablehlo.shift_left %lhs, %rhs
      : (tensor<?xi32, #stablehlo.bounds<7>>, tensor<?xi32>) -> tensor<?xi32, #stablehlo.bounds<7>>
  return
}

// -----

func.func @shift_left_c1_lhs_shape(%lhs: tensor<2x8xi32>, %rhs: tensor<2x7xi32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.shift_left %lhs, %rhs : (tensor<2x8xi32>, tensor<2x7xi32>) -> tensor<2x7xi32>
  return
}

// -----

func.func @shift_left_c1_rhs_element_type(%lhs: tensor<2x7xi32>, %rhs: tensor<2x7xui32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.shift_left %lhs, %rhs : (tensor<2x7xi32>, tensor<2x7xui32>) -> tensor<2x7xi32>
  return
}

// -----

func.func @shift_left_c1_result_shape(%lhs: tensor<2x7xi32>, %rhs: tensor<2x7xi32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.shift_left %lhs, %rhs : (tensor<2x7xi32>, tensor<2x7xi32>) -> tensor<2x8xi32>
  return
}

// -----

func.func @shift_left_c1_result_element_type(%lhs: tensor<2x7xi32>, %rhs: tensor<2x7xi32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.shift_left %lhs, %rhs : (tensor<2x7xi32>, tensor<2x7xi32>) -> tensor<2x7xui32>
  return
}

// -----

// There is no implicit broadcasting.
func.func @shift_left_c1_scalar(%lhs: tensor<2x7xi32>, %rhs: tensor<i32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.shift_left %lhs, %rhs : (tensor<2x7xi32>, tensor<i32>) -> tensor<2x7xi32>
  return
}

// -----

func.func @shift_left_c1_bounds(%lhs: tensor<?xi32, #stablehlo.bounds<4>>, %rhs: tensor<5xi32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.shift_left %lhs, %rhs : (tensor<?xi32, #stablehlo.bounds<4>>, tensor<5xi32>) -> tensor<?xi32>
  return
}

// -----

func.func @shift_left_i1_i1(%lhs: tensor<2x7xi1>, %rhs: tensor<2x7xi1>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.shift_left %lhs, %rhs : tensor<2x7xi1>
  return
}

// -----

func.func @shift_left_i1_f32(%lhs: tensor<2x7xf32>, %rhs: tensor<2x7xf32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.shift_left %lhs, %rhs : tensor<2x7xf32>
  return
}

// -----

func.func @shift_left_i2_token(%lhs: tensor<2x7xi32>, %rhs: !stablehlo.token) {
  // expected-error@+1 {{operand #1 must be ranked tensor of}}
  %0 = "stablehlo.shift_left"(%lhs, %rhs) : (tensor<2x7xi32>, !stablehlo.token) -> tensor<2x7xi32>
  return
}
