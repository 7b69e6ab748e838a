// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @dynamic_slice(
// CHECK: types0 = tensor<2x5xf32>
func.func @dynamic_slice(%operand: tensor<?x6xf32>, %start_indices0: tensor<i32>, %start_indices1: tensor<i32>) {
  %0 = stablehlo.dynamic_slice %operand, %start_indices0, %start_indices1, sizes = [2, 5]
      : (tensor<?x6xf32>, tensor<i32>, tensor<i32>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}
