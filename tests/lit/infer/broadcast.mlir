// REQUIRES: folds-in-greedy-rewriting
// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @broadcast(
// CHECK: types0 = tensor<2x4x3xf32>
func.func @broadcast(%operand: tensor<3xf32>) {
  %0 = stablehlo.broadcast %operand, sizes = [2, 4] : (tensor<3xf32>) -> tensor<?x?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @broadcast_reify(
// CHECK-SAME: %[[OPERAND:[a-z0-9]+]]: tensor<?x5xf32>)
// CHECK: %[[C5:.+]] = arith.constant 5 : index
// CHECK: %[[C7:.+]] = arith.constant 7 : index
// CHECK: %[[C0:.+]] = arith.constant 0 : index
// CHECK: %[[DIM:.+]] = tensor.dim %[[OPERAND]], %[[C0]] : tensor<?x5xf32>
// CHECK: %[[FROM_ELEMENTS:.+]] = tensor.from_elements %[[C7]], %[[DIM]], %[[C5]] : tensor<3xindex>
// CHECK: return %[[FROM_ELEMENTS]] : tensor<3xindex>
func.func @broadcast_reify(%operand: tensor<?x5xf32>) -> tensor<3xindex> {
  %0 = stablehlo.broadcast %operand, sizes = [7] : (tensor<?x5xf32>) -> tensor<7x?x5xf32>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<7x?x5xf32>) -> tensor<3xindex>
  return %extents : tensor<3xindex>
}
