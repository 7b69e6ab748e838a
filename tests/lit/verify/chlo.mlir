// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @constant_like_value(%operand: tensor<2xf32>) {
  // expected-error@+1 {{value's type doesn't match element return type}}
  %0 = "chlo.constant_like"(%operand) {value = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @top_k_of_a_scalar(%operand: tensor<f32>) {
  // expected-error@+2 {{operand's rank must be at least 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = "chlo.top_k"(%operand) {k = 1 : i64} : (tensor<f32>) -> (tensor<1xf32>, tensor<1xi32>)
  return
}

// -----

func.func @top_k_of_too_few(%operand: tensor<2x3xf32>) {
  // expected-error@+2 {{operand's last dimension must be at least 4}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = "chlo.top_k"(%operand) {k = 4 : i64} : (tensor<2x3xf32>) -> (tensor<2x4xf32>, tensor<2x4xi32>)
  return
}

// -----

func.func @broadcast_add_element_types(%lhs: tensor<2xf32>, %rhs: tensor<2xi32>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = "chlo.broadcast_add"(%lhs, %rhs) : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @broadcast_complex_element_types(%lhs: tensor<2xf32>, %rhs: tensor<2xf64>) {
  // expected-error@+2 {{mismatched operand types}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "chlo.broadcast_complex"(%lhs, %rhs) : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xcomplex<f32>>
  return
}

// -----

func.func @broadcast_select_element_types(%pred: tensor<2xi1>, %on_true: tensor<2xf32>, %on_false: tensor<2xi32>) {
  // expected-error@+2 {{mismatched operand types}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "chlo.broadcast_select"(%pred, %on_true, %on_false) : (tensor<2xi1>, tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

// expected-error@+1 {{incompatible shapes for broadcasting 2 and 3}}
func.func @broadcast_add_shape(%lhs: tensor<2xf32>, %rhs: tensor<3xf32>) {
  %0 = "chlo.broadcast_add"(%lhs, %rhs) : (tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// expected-error@+1 {{unknown chlo attribute}}
#attribute = #chlo.unheard_of
