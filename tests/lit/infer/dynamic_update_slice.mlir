// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @dynamic_update_slice(
// CHECK: types0 = tensor<4x6xf32>
func.func @dynamic_update_slice(%operand: tensor<4x6xf32>, %update: tensor<2x6xf32>, %start_indices0: tensor<i32>, %start_indices1: tensor<i32>) {
  %0 = stablehlo.dynamic_update_slice %operand, %update, %start_indices0, %start_indices1
      : (tensor<4x6xf32>, tensor<2x6xf32>, tensor<i32>, tensor<i32>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @dynamic_update_slice_bounded(
// CHECK: types0 = tensor<?xf32, #stablehlo.bounds<8>>
func.func @dynamic_update_slice_bounded(%operand: tensor<?xf32, #stablehlo.bounds<8>>, %update: tensor<3xf32>, %start: tensor<i32>) {
  %0 = stablehlo.dynamic_update_slice %operand, %update, %start
      : (tensor<?xf32, #stablehlo.bounds<8>>, tensor<3xf32>, tensor<i32>) -> tensor<?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}
