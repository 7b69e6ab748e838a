// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @tan(
// CHECK: types0 = tensor<3x2xf32>
func.func @tan(%operand: tensor<3x2xf32>) {
  %0 = chlo.tan %operand : tensor<3x2xf32> -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @tan_bounded(
// CHECK: types0 = tensor<?xf32, #stablehlo.bounds<4>>
func.func @tan_bounded(%operand: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = chlo.tan %operand : tensor<?xf32, #stablehlo.bounds<4>> -> tensor<?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}
