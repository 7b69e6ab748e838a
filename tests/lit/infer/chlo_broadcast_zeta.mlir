// REQUIRES: infers-bounds
// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @broadcast_zeta(
// CHECK: types0 = tensor<4x3xf32>
func.func @broadcast_zeta(%lhs: tensor<4x1xf32>, %rhs: tensor<3xf32>) {
  %0 = chlo.broadcast_zeta %lhs, %rhs : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @broadcast_zeta_dynamic(
// CHECK: types0 = tensor<?x5xf32>
func.func @broadcast_zeta_dynamic(%lhs: tensor<?x5xf32>, %rhs: tensor<?x?xf32>) {
  %0 = chlo.broadcast_zeta %lhs, %rhs : (tensor<?x5xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @broadcast_zeta_bounded(
// CHECK: types0 = tensor<?xf32, #stablehlo.bounds<4>>
func.func @broadcast_zeta_bounded(%lhs: tensor<?xf32, #stablehlo.bounds<4>>, %rhs: tensor<f32>) {
  %0 = chlo.broadcast_zeta %lhs, %rhs : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<f32>) -> tensor<?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @broadcast_zeta_broadcast_dimensions(
// CHECK: types0 = tensor<4x3xf32>
func.func @broadcast_zeta_broadcast_dimensions(%lhs: tensor<4xf32>, %rhs: tensor<4x3xf32>) {
  %0 = "chlo.broadcast_zeta"(%lhs, %rhs) {broadcast_dimensions = array<i64: 0>}
      : (tensor<4xf32>, tensor<4x3xf32>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @broadcast_zeta_reify(
// CHECK-SAME: %[[LHS:[a-z0-9]+]]: tensor<?x5xf32>, %[[RHS:[a-z0-9]+]]: tensor<?xf32>)
// CHECK: %[[V0:.+]] = shape.shape_of %[[LHS]] : tensor<?x5xf32> -> tensor<2xindex>
// CHECK: %[[V1:.+]] = shape.shape_of %[[RHS]] : tensor<?xf32> -> tensor<1xindex>
// CHECK: %[[V2:.+]] = shape.broadcast %[[V0]], %[[V1]] : tensor<2xindex>, tensor<1xindex> -> tensor<2xindex>
// CHECK: return %[[V2]] : tensor<2xindex>
func.func @broadcast_zeta_reify(%lhs: tensor<?x5xf32>, %rhs: tensor<?xf32>) -> tensor<2xindex> {
  %0 = chlo.broadcast_zeta %lhs, %rhs : (tensor<?x5xf32>, tensor<?xf32>) -> tensor<?x5xf32>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x5xf32>) -> tensor<2xindex>
  return %extents : tensor<2xindex>
}
