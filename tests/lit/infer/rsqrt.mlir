// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @rsqrt(
// CHECK: types0 = tensor<1x9xf64>
func.func @rsqrt(%operand: tensor<1x9xf64>) {
  %0 = stablehlo.rsqrt %operand : (tensor<1x9xf64>) -> tensor<?x?xf64>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return
}

// -----

// CHECK-LABEL: func.func @rsqrt_bounded(
// CHECK: types0 = tensor<2x?xf64, #stablehlo.bounds<?, 6>>
func.func @rsqrt_bounded(%operand: tensor<2x?xf64, #stablehlo.bounds<?, 6>>) {
  %0 = stablehlo.rsqrt %operand : (tensor<2x?xf64, #stablehlo.bounds<?, 6>>) -> tensor<?x?xf64>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return
}
