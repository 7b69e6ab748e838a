// REQUIRES: folds-in-greedy-rewriting
// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @concatenate(
// CHECK: types0 = tensor<2x7xf32>
func.func @concatenate(%inputs0: tensor<2x3xf32>, %inputs1: tensor<?x4xf32>) {
  %0 = stablehlo.concatenate %inputs0, %inputs1, dim = 1 : (tensor<2x3xf32>, tensor<?x4xf32>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @concatenate_dynamic(
// CHECK: types0 = tensor<2x?xf32>
func.func @concatenate_dynamic(%inputs0: tensor<2x3xf32>, %inputs1: tensor<2x?xf32>) {
  %0 = stablehlo.concatenate %inputs0, %inputs1, dim = 1 : (tensor<2x3xf32>, tensor<2x?xf32>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @concatenate_bounded(
// CHECK: types0 = tensor<?xf32, #stablehlo.bounds<7>>
func.func @concatenate_bounded(%inputs0: tensor<?xf32, #stablehlo.bounds<3>>, %inputs1: tensor<4xf32>) {
  %0 = stablehlo.concatenate %inputs0, %inputs1, dim = 0
      : (tensor<?xf32, #stablehlo.bounds<3>>, tensor<4xf32>) -> tensor<?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @concatenate_reify(
// CHECK-SAME: %[[INPUTS0:[a-z0-9]+]]: tensor<?x3xf32>, %[[INPUTS1:[a-z0-9]+]]: tensor<?x?xf32>)
// CHECK: %[[C3:.+]] = arith.constant 3 : index
// CHECK: %[[C1:.+]] = arith.constant 1 : index
// CHECK: %[[C0:.+]] = arith.constant 0 : index
// CHECK: %[[DIM:.+]] = tensor.dim %[[INPUTS0]], %[[C0]] : tensor<?x3xf32>
// CHECK: %[[DIM_0:.+]] = tensor.dim %[[INPUTS1]], %[[C1]] : tensor<?x?xf32>
// CHECK: %[[V0:.+]] = arith.addi %[[DIM_0]], %[[C3]] : index
// CHECK: %[[FROM_ELEMENTS:.+]] = tensor.from_elements %[[DIM]], %[[V0]] : tensor<2xindex>
// CHECK: return %[[FROM_ELEMENTS]] : tensor<2xindex>
func.func @concatenate_reify(%inputs0: tensor<?x3xf32>, %inputs1: tensor<?x?xf32>) -> tensor<2xindex> {
  %0 = stablehlo.concatenate %inputs0, %inputs1, dim = 1 : (tensor<?x3xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  return %extents : tensor<2xindex>
}
