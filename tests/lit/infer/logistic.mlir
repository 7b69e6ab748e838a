// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @logistic(
// CHECK: types0 = tensor<10xf32>
func.func @logistic(%operand: tensor<10xf32>) {
  %0 = stablehlo.logistic %operand : (tensor<10xf32>) -> tensor<?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @logistic_bounded(
// CHECK: types0 = tensor<2x?xf32, #stablehlo.bounds<?, 6>>
func.func @logistic_bounded(%operand: tensor<2x?xf32, #stablehlo.bounds<?, 6>>) {
  %0 = stablehlo.logistic %operand : (tensor<2x?xf32, #stablehlo.bounds<?, 6>>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}
