// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @floor(
// CHECK: types0 = tensor<8x1xbf16>
func.func @floor(%operand: tensor<8x1xbf16>) {
  %0 = stablehlo.floor %operand : (tensor<8x1xbf16>) -> tensor<?x?xbf16>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xbf16>) -> tensor<?x?xbf16>
  return
}

// -----

// CHECK-LABEL: func.func @floor_bounded(
// CHECK: types0 = tensor<2x?xbf16, #stablehlo.bounds<?, 6>>
func.func @floor_bounded(%operand: tensor<2x?xbf16, #stablehlo.bounds<?, 6>>) {
  %0 = stablehlo.floor %operand : (tensor<2x?xbf16, #stablehlo.bounds<?, 6>>) -> tensor<?x?xbf16>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xbf16>) -> tensor<?x?xbf16>
  return
}
