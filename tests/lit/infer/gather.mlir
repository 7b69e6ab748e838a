// REQUIRES: folds-in-greedy-rewriting
// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @gather(
// CHECK: types0 = tensor<2x4x3x2xi32>
func.func @gather(%operand: tensor<3x4x2xi32>, %start_indices: tensor<2x3x2xi64>) {
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 4, 2>
  } : (tensor<3x4x2xi32>, tensor<2x3x2xi64>) -> tensor<?x?x?x?xi32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?x?xi32>) -> tensor<?x?x?x?xi32>
  return
}

// -----

// CHECK-LABEL: func.func @gather_bounded(
// CHECK: types0 = tensor<?x4xf32, #stablehlo.bounds<6, ?>>
func.func @gather_bounded(%operand: tensor<?x4xf32>, %start_indices: tensor<?x1xi32, #stablehlo.bounds<6, ?>>) {
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>
  } : (tensor<?x4xf32>, tensor<?x1xi32, #stablehlo.bounds<6, ?>>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @gather_reify(
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<3x4x2xi32>, %[[START_INDICES:[a-z0-9]+]]: tensor<?x3x2xi64>)
// CHECK: %[[C3:.+]] = arith.constant 3 : index
// CHECK: %[[C4:.+]] = arith.constant 4 : index
// CHECK: %[[C2:.+]] = arith.constant 2 : index
// CHECK: %[[C0:.+]] = arith.constant 0 : index
// CHECK: %[[DIM:.+]] = tensor.dim %[[START_INDICES]], %[[C0]] : tensor<?x3x2xi64>
// CHECK: %[[FROM_ELEMENTS:.+]] = tensor.from_elements %[[DIM]], %[[C4]], %[[C3]], %[[C2]] : tensor<4xindex>
// CHECK: return %[[FROM_ELEMENTS]] : tensor<4xindex>
func.func @gather_reify(%operand: tensor<3x4x2xi32>, %start_indices: tensor<?x3x2xi64>) -> tensor<4xindex> {
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 4, 2>
  } : (tensor<3x4x2xi32>, tensor<?x3x2xi64>) -> tensor<?x4x3x2xi32>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x4x3x2xi32>) -> tensor<4xindex>
  return %extents : tensor<4xindex>
}
