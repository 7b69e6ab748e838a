// REQUIRES: folds-in-greedy-rewriting
// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @reduce(
// CHECK: types0 = tensor<3xf32>
func.func @reduce(%inputs: tensor<4x3x2xf32>, %init_values: tensor<f32>) {
  %0 = stablehlo.reduce(%inputs init: %init_values) applies stablehlo.add across dimensions = [0, 2]
      : (tensor<4x3x2xf32>, tensor<f32>) -> tensor<?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @reduce_several(
// CHECK: types0 = tensor<?xf32>, types1 = tensor<?xi32>
func.func @reduce_several(%inputs0: tensor<?x3xf32>, %inputs1: tensor<4x?xi8>, %init_values0: tensor<f32>, %init_values1: tensor<i8>) {
  %0:2 = "stablehlo.reduce"(%inputs0, %inputs1, %init_values0, %init_values1) ({
    ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
      stablehlo.return %a, %b : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<?x3xf32>, tensor<4x?xi8>, tensor<f32>, tensor<i8>) -> (tensor<?xf32>, tensor<?xi32>)
  %shown = "hlo_test_infer.get_return_types"(%0#0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @reduce_bounded(
// CHECK: types0 = tensor<?xf32, #stablehlo.bounds<9>>
func.func @reduce_bounded(%inputs: tensor<?x3xf32, #stablehlo.bounds<9, ?>>, %init_values: tensor<f32>) {
  %0 = stablehlo.reduce(%inputs init: %init_values) applies stablehlo.maximum across dimensions = [1]
      : (tensor<?x3xf32, #stablehlo.bounds<9, ?>>, tensor<f32>) -> tensor<?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @reduce_reify(
// CHECK-SAME: %[[INPUTS:[a-z0-9]+]]: tensor<?x3x?xf32>, %{{[a-z0-9]+}}: tensor<f32>)
// CHECK: %[[C2:.+]] = arith.constant 2 : index
// CHECK: %[[C0:.+]] = arith.constant 0 : index
// CHECK: %[[DIM:.+]] = tensor.dim %[[INPUTS]], %[[C0]] : tensor<?x3x?xf32>
// CHECK: %[[DIM_0:.+]] = tensor.dim %[[INPUTS]], %[[C2]] : tensor<?x3x?xf32>
// CHECK: %[[FROM_ELEMENTS:.+]] = tensor.from_elements %[[DIM]], %[[DIM_0]] : tensor<2xindex>
// CHECK: return %[[FROM_ELEMENTS]] : tensor<2xindex>
func.func @reduce_reify(%inputs: tensor<?x3x?xf32>, %init_values: tensor<f32>) -> tensor<2xindex> {
  %0 = stablehlo.reduce(%inputs init: %init_values) applies stablehlo.add across dimensions = [1]
      : (tensor<?x3x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  return %extents : tensor<2xindex>
}
