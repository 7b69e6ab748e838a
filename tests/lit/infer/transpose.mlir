// REQUIRES: folds-in-greedy-rewriting
// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @transpose(
// CHECK: types0 = tensor<4x2x3xf32>
func.func @transpose(%operand: tensor<2x3x4xf32>) {
  %0 = stablehlo.transpose %operand, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<?x?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @transpose_bounded(
// CHECK: types0 = tensor<3x?xf32, #stablehlo.bounds<?, 5>>
func.func @transpose_bounded(%operand: tensor<?x3xf32, #stablehlo.bounds<5, ?>>) {
  %0 = stablehlo.transpose %operand, dims = [1, 0] : (tensor<?x3xf32, #stablehlo.bounds<5, ?>>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @transpose_reify(
// CHECK-SAME: %[[OPERAND:[a-z0-9]+]]: tensor<?x3x?xf32>)
// CHECK: %[[C3:.+]] = arith.constant 3 : index
// CHECK: %[[C2:.+]] = arith.constant 2 : index
// CHECK: %[[C0:.+]] = arith.constant 0 : index
// CHECK: %[[DIM:.+]] = tensor.dim %[[OPERAND]], %[[C0]] : tensor<?x3x?xf32>
// CHECK: %[[DIM_0:.+]] = tensor.dim %[[OPERAND]], %[[C2]] : tensor<?x3x?xf32>
// CHECK: %[[FROM_ELEMENTS:.+]] = tensor.from_elements %[[DIM_0]], %[[DIM]], %[[C3]] : tensor<3xindex>
// CHECK: return %[[FROM_ELEMENTS]] : tensor<3xindex>
func.func @transpose_reify(%operand: tensor<?x3x?xf32>) -> tensor<3xindex> {
  %0 = stablehlo.transpose %operand, dims = [2, 0, 1] : (tensor<?x3x?xf32>) -> tensor<?x?x3xf32>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x3xf32>) -> tensor<3xindex>
  return %extents : tensor<3xindex>
}
