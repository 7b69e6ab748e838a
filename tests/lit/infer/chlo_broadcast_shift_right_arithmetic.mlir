// REQUIRES: infers-bounds
// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @broadcast_shift_right_arithmetic(
// CHECK: types0 = tensor<4x3xi32>
func.func @broadcast_shift_right_arithmetic(%lhs: tensor<4x1xi32>, %rhs: tensor<3xi32>) {
  %0 = chlo.broadcast_shift_right_arithmetic %lhs, %rhs : (tensor<4x1xi32>, tensor<3xi32>) -> tensor<?x?xi32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi32>) -> tensor<?x?xi32>
  return
}

// -----

// CHECK-LABEL: func.func @broadcast_shift_right_arithmetic_dynamic(
// CHECK: types0 = tensor<?x5xi32>
func.func @broadcast_shift_right_arithmetic_dynamic(%lhs: tensor<?x5xi32>, %rhs: tensor<?x?xi32>) {
  %0 = chlo.broadcast_shift_right_arithmetic %lhs, %rhs : (tensor<?x5xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi32>) -> tensor<?x?xi32>
  return
}

// -----

// CHECK-LABEL: func.func @broadcast_shift_right_arithmetic_bounded(
// CHECK: types0 = tensor<?xi32, #stablehlo.bounds<4>>
func.func @broadcast_shift_right_arithmetic_bounded(%lhs: tensor<?xi32, #stablehlo.bounds<4>>, %rhs: tensor<i32>) {
  %0 = chlo.broadcast_shift_right_arithmetic %lhs, %rhs
      : (tensor<?xi32, #stablehlo.bounds<4>>, tensor<i32>) -> tensor<?xi32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xi32>) -> tensor<?xi32>
  return
}

// -----

// CHECK-LABEL: func.func @broadcast_shift_right_arithmetic_broadcast_dimensions(
// CHECK: types0 = tensor<4x3xi32>
func.func @broadcast_shift_right_arithmetic_broadcast_dimensions(%lhs: tensor<4xi32>, %rhs: tensor<4x3xi32>) {
  %0 = "chlo.broadcast_shift_right_arithmetic"(%lhs, %rhs) {broadcast_dimensions = array<i64: 0>}
      : (tensor<4xi32>, tensor<4x3xi32>) -> tensor<?x?xi32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi32>) -> tensor<?x?xi32>
  return
}

// -----

// CHECK-LABEL: func.func @broadcast_shift_right_arithmetic_reify(
// CHECK-SAME: %[[LHS:[a-z0-9]+]]: tensor<?x5xi32>, %[[RHS:[a-z0-9]+]]: tensor<?xi32>)
// CHECK: %[[V0:.+]] = shape.shape_of %[[LHS]] : tensor<?x5xi32> -> tensor<2xindex>
// CHECK: %[[V1:.+]] = shape.shape_of %[[RHS]] : tensor<?xi32> -> tensor<1xindex>
// CHECK: %[[V2:.+]] = shape.broadcast %[[V0]], %[[V1]] : tensor<2xindex>, tensor<1xindex> -> tensor<2xindex>
// CHECK: return %[[V2]] : tensor<2xindex>
func.func @broadcast_shift_right_arithmetic_reify(%lhs: tensor<?x5xi32>, %rhs: tensor<?xi32>) -> tensor<2xindex> {
  %0 = chlo.broadcast_shift_right_arithmetic %lhs, %rhs : (tensor<?x5xi32>, tensor<?xi32>) -> tensor<?x5xi32>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x5xi32>) -> tensor<2xindex>
  return %extents : tensor<2xindex>
}
