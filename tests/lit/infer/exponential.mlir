// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @exponential(
// CHECK: types0 = tensor<1x9xf16>
func.func @exponential(%operand: tensor<1x9xf16>) {
  %0 = stablehlo.exponential %operand : (tensor<1x9xf16>) -> tensor<?x?xf16>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf16>) -> tensor<?x?xf16>
  return
}

// -----

// CHECK-LABEL: func.func @exponential_bounded(
// CHECK: types0 = tensor<2x?xf16, #stablehlo.bounds<?, 6>>
func.func @exponential_bounded(%operand: tensor<2x?xf16, #stablehlo.bounds<?, 6>>) {
  %0 = stablehlo.exponential %operand : (tensor<2x?xf16, #stablehlo.bounds<?, 6>>) -> tensor<?x?xf16>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf16>) -> tensor<?x?xf16>
  return
}
