// RUN: stablehlo-opt %s --hlo-test-broadcast --split-input-file --allow-unregistered-dialect --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @static(
// CHECK-SAME: %[[LHS:.+]]: tensor<4x1xf32>, %[[RHS:.+]]: tensor<3xf32>
// CHECK: %[[WIDE_LHS:.+]] = stablehlo.broadcast_in_dim %[[LHS]], dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x3xf32>
// CHECK: %[[WIDE_RHS:.+]] = stablehlo.broadcast_in_dim %[[RHS]], dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
// CHECK: stablehlo.custom_call @numpy_broadcasted(%[[WIDE_LHS]], %[[WIDE_RHS]])
func.func @static(%lhs: tensor<4x1xf32>, %rhs: tensor<3xf32>) -> !stablehlo.token {
  %0 = "hlo_test_broadcast.numpy_broadcast"(%lhs, %rhs) : (tensor<4x1xf32>, tensor<3xf32>) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

// A static dimension is filled up to the bound, then cut to the size of the dimension that it follows.
// CHECK-LABEL: func.func @bounded(
// CHECK-SAME: %[[LHS:.+]]: tensor<2x?xi8, #stablehlo.bounds<?, 6>>, %[[RHS:.+]]: tensor<1xi8>
// CHECK: %[[FULL:.+]] = stablehlo.broadcast_in_dim %[[RHS]], dims = [1] : (tensor<1xi8>) -> tensor<2x6xi8>
// CHECK: %[[SIZE:.+]] = stablehlo.get_dimension_size %[[LHS]], dim = 1
// CHECK: %[[CUT:.+]] = stablehlo.set_dimension_size %[[FULL]], %[[SIZE]], dim = 1
// CHECK: stablehlo.custom_call @numpy_broadcasted(%[[LHS]], %[[CUT]])
func.func @bounded(%lhs: tensor<2x?xi8, #stablehlo.bounds<?, 6>>, %rhs: tensor<1xi8>) -> !stablehlo.token {
  %0 = "hlo_test_broadcast.numpy_broadcast"(%lhs, %rhs) : (tensor<2x?xi8, #stablehlo.bounds<?, 6>>, tensor<1xi8>) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

// CHECK-LABEL: func.func @incompatible(
// CHECK: hlo_test_broadcast.numpy_broadcast
// expected-error@+1 {{incompatible shapes for broadcasting 4 and 3}}
func.func @incompatible(%lhs: tensor<4xf32>, %rhs: tensor<3xf32>) -> !stablehlo.token {
  %0 = "hlo_test_broadcast.numpy_broadcast"(%lhs, %rhs) : (tensor<4xf32>, tensor<3xf32>) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

func.func @mixed(
    %lhs: tensor<4xf32>,
    // expected-error@+1 {{cannot mix bounded and static dimensions in broadcast}}
    %rhs: tensor<?xf32, #stablehlo.bounds<4>>) -> !stablehlo.token {
  %0 = "hlo_test_broadcast.numpy_broadcast"(%lhs, %rhs) : (tensor<4xf32>, tensor<?xf32, #stablehlo.bounds<4>>) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

func.func @nothing() -> !stablehlo.token {
  // expected-error@+1 {{requires at least one operand to broadcast}}
  %0 = "hlo_test_broadcast.numpy_broadcast"() : () -> !stablehlo.token
  return %0 : !stablehlo.token
}
