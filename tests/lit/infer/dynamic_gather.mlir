// REQUIRES: folds-in-greedy-rewriting
// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @dynamic_gather(
// CHECK: types0 = tensor<6x?x?xi32>
func.func @dynamic_gather(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>, %slice_sizes: tensor<3xi32>) {
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>, tensor<3xi32>) -> tensor<?x?x?xi32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xi32>) -> tensor<?x?x?xi32>
  return
}

// -----

// CHECK-LABEL: func.func @dynamic_gather_constant(
// CHECK: types0 = tensor<6x2x2xi32>
func.func @dynamic_gather_constant(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>) {
  %slice_sizes = stablehlo.constant dense<[1, 2, 2]> : tensor<3xi64>
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>, tensor<3xi64>) -> tensor<?x?x?xi32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xi32>) -> tensor<?x?x?xi32>
  return
}

// -----

// CHECK-LABEL: func.func @dynamic_gather_reify(
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<3x4x2xi32>, %[[START_INDICES:[a-z0-9]+]]: tensor<?x2xi64>, %[[SLICE_SIZES:[a-z0-9]+]]: tensor<3xi32>)
// CHECK: %[[C0:.+]] = arith.constant 0 : index
// CHECK: %[[C2:.+]] = arith.constant 2 : index
// CHECK: %[[C1:.+]] = arith.constant 1 : index
// CHECK: %[[EXTRACTED:.+]] = tensor.extract %[[SLICE_SIZES]][%[[C1]]] : tensor<3xi32>
// CHECK: %[[EXTRACTED_0:.+]] = tensor.extract %[[SLICE_SIZES]][%[[C2]]] : tensor<3xi32>
// CHECK: %[[V0:.+]] = arith.index_cast %[[EXTRACTED]] : i32 to index
// CHECK: %[[V1:.+]] = arith.index_cast %[[EXTRACTED_0]] : i32 to index
// CHECK: %[[DIM:.+]] = tensor.dim %[[START_INDICES]], %[[C0]] : tensor<?x2xi64>
// CHECK: %[[FROM_ELEMENTS:.+]] = tensor.from_elements %[[DIM]], %[[V0]], %[[V1]] : tensor<3xindex>
// CHECK: return %[[FROM_ELEMENTS]] : tensor<3xindex>
func.func @dynamic_gather_reify(%operand: tensor<3x4x2xi32>, %start_indices: tensor<?x2xi64>, %slice_sizes: tensor<3xi32>) -> tensor<3xindex> {
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>
  } : (tensor<3x4x2xi32>, tensor<?x2xi64>, tensor<3xi32>) -> tensor<?x?x?xi32>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xi32>) -> tensor<3xindex>
  return %extents : tensor<3xindex>
}
