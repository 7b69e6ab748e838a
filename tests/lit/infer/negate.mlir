// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @negate(
// CHECK: types0 = tensor<3x5xi32>
func.func @negate(%operand: tensor<3x5xi32>) {
  %0 = stablehlo.negate %operand : (tensor<3x5xi32>) -> tensor<?x?xi32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi32>) -> tensor<?x?xi32>
  return
}

// -----

// CHECK-LABEL: func.func @negate_bounded(
// CHECK: types0 = tensor<2x?xi32, #stablehlo.bounds<?, 6>>
func.func @negate_bounded(%operand: tensor<2x?xi32, #stablehlo.bounds<?, 6>>) {
  %0 = stablehlo.negate %operand : (tensor<2x?xi32, #stablehlo.bounds<?, 6>>) -> tensor<?x?xi32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi32>) -> tensor<?x?xi32>
  return
}
