// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @tan(
// CHECK: types0 = tensor<5x0xf32>
func.func @tan(%operand: tensor<5x0xf32>) {
  %0 = stablehlo.tan %operand : (tensor<5x0xf32>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @tan_bounded(
// CHECK: types0 = tensor<2x?xf32, #stablehlo.bounds<?, 6>>
func.func @tan_bounded(%operand: tensor<2x?xf32, #stablehlo.bounds<?, 6>>) {
  %0 = stablehlo.tan %operand : (tensor<2x?xf32, #stablehlo.bounds<?, 6>>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}
