// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @sine(
// CHECK: types0 = tensor<8x1xf32>
func.func @sine(%operand: tensor<8x1xf32>) {
  %0 = stablehlo.sine %operand : (tensor<8x1xf32>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @sine_bounded(
// CHECK: types0 = tensor<2x?xf32, #stablehlo.bounds<?, 6>>
func.func @sine_bounded(%operand: tensor<2x?xf32, #stablehlo.bounds<?, 6>>) {
  %0 = stablehlo.sine %operand : (tensor<2x?xf32, #stablehlo.bounds<?, 6>>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}
