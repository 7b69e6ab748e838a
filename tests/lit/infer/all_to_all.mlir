// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @all_to_all(
// CHECK: types0 = tensor<8x3xf32>
func.func @all_to_all(%operands: tensor<4x6xf32>) {
  %0 = "stablehlo.all_to_all"(%operands) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<4x6xf32>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @all_to_all_bounded(
// CHECK: types0 = tensor<?x3xf32, #stablehlo.bounds<8, ?>>
func.func @all_to_all_bounded(%operands: tensor<?x6xf32, #stablehlo.bounds<4, ?>>) {
  %0 = "stablehlo.all_to_all"(%operands) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<?x6xf32, #stablehlo.bounds<4, ?>>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}
