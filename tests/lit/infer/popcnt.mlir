// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @popcnt(
// CHECK: types0 = tensor<4xui16>
func.func @popcnt(%operand: tensor<4xui16>) {
  %0 = stablehlo.popcnt %operand : (tensor<4xui16>) -> tensor<?xui16>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xui16>) -> tensor<?xui16>
  return
}

// -----

// CHECK-LABEL: func.func @popcnt_bounded(
// CHECK: types0 = tensor<2x?xui16, #stablehlo.bounds<?, 6>>
func.func @popcnt_bounded(%operand: tensor<2x?xui16, #stablehlo.bounds<?, 6>>) {
  %0 = stablehlo.popcnt %operand : (tensor<2x?xui16, #stablehlo.bounds<?, 6>>) -> tensor<?x?xui16>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xui16>) -> tensor<?x?xui16>
  return
}
