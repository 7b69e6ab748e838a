// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @round_nearest_afz(
// CHECK: types0 = tensor<4xf32>
func.func @round_nearest_afz(%operand: tensor<4xf32>) {
  %0 = stablehlo.round_nearest_afz %operand : (tensor<4xf32>) -> tensor<?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @round_nearest_afz_bounded(
// CHECK: types0 = tensor<2x?xf32, #stablehlo.bounds<?, 6>>
func.func @round_nearest_afz_bounded(%operand: tensor<2x?xf32, #stablehlo.bounds<?, 6>>) {
  %0 = stablehlo.round_nearest_afz %operand : (tensor<2x?xf32, #stablehlo.bounds<?, 6>>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}
