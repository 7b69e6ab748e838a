// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @ceil(
// CHECK: types0 = tensor<4xf64>
func.func @ceil(%operand: tensor<4xf64>) {
  %0 = stablehlo.ceil %operand : (tensor<4xf64>) -> tensor<?xf64>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

// CHECK-LABEL: func.func @ceil_bounded(
// CHECK: types0 = tensor<2x?xf64, #stablehlo.bounds<?, 6>>
func.func @ceil_bounded(%operand: tensor<2x?xf64, #stablehlo.bounds<?, 6>>) {
  %0 = stablehlo.ceil %operand : (tensor<2x?xf64, #stablehlo.bounds<?, 6>>) -> tensor<?x?xf64>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return
}
