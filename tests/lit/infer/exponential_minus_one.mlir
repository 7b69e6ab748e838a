// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @exponential_minus_one(
// CHECK: types0 = tensor<6x2xf32>
func.func @exponential_minus_one(%operand: tensor<6x2xf32>) {
  %0 = stablehlo.exponential_minus_one %operand : (tensor<6x2xf32>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @exponential_minus_one_bounded(
// CHECK: types0 = tensor<2x?xf32, #stablehlo.bounds<?, 6>>
func.func @exponential_minus_one_bounded(%operand: tensor<2x?xf32, #stablehlo.bounds<?, 6>>) {
  %0 = stablehlo.exponential_minus_one %operand : (tensor<2x?xf32, #stablehlo.bounds<?, 6>>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}
