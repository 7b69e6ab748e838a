// REQUIRES: folds-in-greedy-rewriting
// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @dot_general(
// CHECK: types0 = tensor<5x?x4xindex, #stablehlo.bounds<?, 2, ?>>
func.func @dot_general(%lhs: tensor<5x?x3xf32, #stablehlo.bounds<?, 2, ?>>, %rhs: tensor<3x5x4xf32>) {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [1], contracting_dims = [2] x [0]
      : (tensor<5x?x3xf32, #stablehlo.bounds<?, 2, ?>>, tensor<3x5x4xf32>) -> tensor<?x?x?xf32>
  %shown = "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @dot_general_reify(
// CHECK-SAME: %[[LHS:[a-z0-9]+]]: tensor<?x?x3xf32>, %[[RHS:[a-z0-9]+]]: tensor<3x?x?xf32>)
// CHECK: %[[C2:.+]] = arith.constant 2 : index
// CHECK: %[[C1:.+]] = arith.constant 1 : index
// CHECK: %[[C0:.+]] = arith.constant 0 : index
// CHECK: %[[DIM:.+]] = tensor.dim %[[LHS]], %[[C0]] : tensor<?x?x3xf32>
// CHECK: %[[DIM_0:.+]] = tensor.dim %[[LHS]], %[[C1]] : tensor<?x?x3xf32>
// CHECK: %[[DIM_1:.+]] = tensor.dim %[[RHS]], %[[C2]] : tensor<3x?x?xf32>
// CHECK: %[[FROM_ELEMENTS:.+]] = tensor.from_elements %[[DIM]], %[[DIM_0]], %[[DIM_1]] : tensor<3xindex>
// CHECK: return %[[FROM_ELEMENTS]] : tensor<3xindex>
func.func @dot_general_reify(%lhs: tensor<?x?x3xf32>, %rhs: tensor<3x?x?xf32>) -> tensor<3xindex> {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [1], contracting_dims = [2] x [0]
      : (tensor<?x?x3xf32>, tensor<3x?x?xf32>) -> tensor<?x?x?xf32>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xf32>) -> tensor<3xindex>
  return %extents : tensor<3xindex>
}
