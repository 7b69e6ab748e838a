// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @log_plus_one(
// CHECK: types0 = tensor<5x0xf64>
func.func @log_plus_one(%operand: tensor<5x0xf64>) {
  %0 = stablehlo.log_plus_one %operand : (tensor<5x0xf64>) -> tensor<?x?xf64>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return
}

// -----

// CHECK-LABEL: func.func @log_plus_one_bounded(
// CHECK: types0 = tensor<2x?xf64, #stablehlo.bounds<?, 6>>
func.func @log_plus_one_bounded(%operand: tensor<2x?xf64, #stablehlo.bounds<?, 6>>) {
  %0 = stablehlo.log_plus_one %operand : (tensor<2x?xf64, #stablehlo.bounds<?, 6>>) -> tensor<?x?xf64>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return
}
