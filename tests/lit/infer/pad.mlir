// REQUIRES: folds-in-greedy-rewriting
// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @pad(
// CHECK: types0 = tensor<5x2xf32>
func.func @pad(%operand: tensor<2x3xf32>, %padding_value: tensor<f32>) {
  %0 = stablehlo.pad %operand, %padding_value, low = [0, 1], high = [2, -2], interior = [1, 0]
      : (tensor<2x3xf32>, tensor<f32>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @pad_bounded(
// CHECK: types0 = tensor<?xf32, #stablehlo.bounds<9>>
func.func @pad_bounded(%operand: tensor<?xf32, #stablehlo.bounds<4>>, %padding_value: tensor<f32>) {
  %0 = stablehlo.pad %operand, %padding_value, low = [1], high = [1], interior = [1]
      : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<f32>) -> tensor<?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @pad_reify(
// CHECK-SAME: %[[OPERAND:[a-z0-9]+]]: tensor<?x3xf32>, %{{[a-z0-9]+}}: tensor<f32>)
// CHECK: %[[C4:.+]] = arith.constant 4 : index
// CHECK: %[[C1:.+]] = arith.constant 1 : index
// CHECK: %[[C0:.+]] = arith.constant 0 : index
// CHECK: %[[C3:.+]] = arith.constant 3 : index
// CHECK: %[[DIM:.+]] = tensor.dim %[[OPERAND]], %[[C0]] : tensor<?x3xf32>
// CHECK: %[[V0:.+]] = arith.subi %[[DIM]], %[[C1]] : index
// CHECK: %[[V1:.+]] = arith.maxsi %[[V0]], %[[C0]] : index
// CHECK: %[[V2:.+]] = arith.muli %[[V1]], %[[C3]] : index
// CHECK: %[[V3:.+]] = arith.addi %[[DIM]], %[[V2]] : index
// CHECK: %[[V4:.+]] = arith.addi %[[V3]], %[[C3]] : index
// CHECK: %[[FROM_ELEMENTS:.+]] = tensor.from_elements %[[V4]], %[[C4]] : tensor<2xindex>
// CHECK: return %[[FROM_ELEMENTS]] : tensor<2xindex>
func.func @pad_reify(%operand: tensor<?x3xf32>, %padding_value: tensor<f32>) -> tensor<2xindex> {
  %0 = stablehlo.pad %operand, %padding_value, low = [1, 0], high = [2, 1], interior = [3, 0]
      : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x4xf32>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x4xf32>) -> tensor<2xindex>
  return %extents : tensor<2xindex>
}
