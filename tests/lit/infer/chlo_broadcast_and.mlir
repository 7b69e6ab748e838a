// REQUIRES: infers-bounds
// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @broadcast_and(
// CHECK: types0 = tensor<4x3xi1>
func.func @broadcast_and(%lhs: tensor<4x1xi1>, %rhs: tensor<3xi1>) {
  %0 = chlo.broadcast_and %lhs, %rhs : (tensor<4x1xi1>, tensor<3xi1>) -> tensor<?x?xi1>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi1>) -> tensor<?x?xi1>
  return
}

// -----

// CHECK-LABEL: func.func @broadcast_and_dynamic(
// CHECK: types0 = tensor<?x5xi1>
func.func @broadcast_and_dynamic(%lhs: tensor<?x5xi1>, %rhs: tensor<?x?xi1>) {
  %0 = chlo.broadcast_and %lhs, %rhs : (tensor<?x5xi1>, tensor<?x?xi1>) -> tensor<?x?xi1>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi1>) -> tensor<?x?xi1>
  return
}

// -----

// CHECK-LABEL: func.func @broadcast_and_bounded(
// CHECK: types0 = tensor<?xi1, #stablehlo.bounds<4>>
func.func @broadcast_and_bounded(%lhs: tensor<?xi1, #stablehlo.bounds<4>>, %rhs: tensor<i1>) {
  %0 = chlo.broadcast_and %lhs, %rhs : (tensor<?xi1, #stablehlo.bounds<4>>, tensor<i1>) -> tensor<?xi1>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xi1>) -> tensor<?xi1>
  return
}

// -----

// CHECK-LABEL: func.func @broadcast_and_broadcast_dimensions(
// CHECK: types0 = tensor<4x3xi1>
func.func @broadcast_and_broadcast_dimensions(%lhs: tensor<4xi1>, %rhs: tensor<4x3xi1>) {
  %0 = "chlo.broadcast_and"(%lhs, %rhs) {broadcast_dimensions = array<i64: 0>}
      : (tensor<4xi1>, tensor<4x3xi1>) -> tensor<?x?xi1>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi1>) -> tensor<?x?xi1>
  return
}

// -----

// CHECK-LABEL: func.func @broadcast_and_reify(
// CHECK-SAME: %[[LHS:[a-z0-9]+]]: tensor<?x5xi1>, %[[RHS:[a-z0-9]+]]: tensor<?xi1>)
// CHECK: %[[V0:.+]] = shape.shape_of %[[LHS]] : tensor<?x5xi1> -> tensor<2xindex>
// CHECK: %[[V1:.+]] = shape.shape_of %[[RHS]] : tensor<?xi1> -> tensor<1xindex>
// CHECK: %[[V2:.+]] = shape.broadcast %[[V0]], %[[V1]] : tensor<2xindex>, tensor<1xindex> -> tensor<2xindex>
// CHECK: return %[[V2]] : tensor<2xindex>
func.func @broadcast_and_reify(%lhs: tensor<?x5xi1>, %rhs: tensor<?xi1>) -> tensor<2xindex> {
  %0 = chlo.broadcast_and %lhs, %rhs : (tensor<?x5xi1>, tensor<?xi1>) -> tensor<?x5xi1>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x5xi1>) -> tensor<2xindex>
  return %extents : tensor<2xindex>
}
