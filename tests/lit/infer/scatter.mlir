// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @scatter(
// CHECK: types0 = tensor<5x4x3xi32>
func.func @scatter(%inputs: tensor<5x4x3xi8>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x3xi8>) {
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
      stablehlo.return %lhs : tensor<i32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<5x4x3xi8>, tensor<7x2xi64>, tensor<7x3xi8>) -> tensor<?x?x?xi32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xi32>) -> tensor<?x?x?xi32>
  return
}
