// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @abs(
// CHECK: types0 = tensor<4xf64>
func.func @abs(%operand: tensor<4xcomplex<f64>>) {
  %0 = stablehlo.abs %operand : (tensor<4xcomplex<f64>>) -> tensor<?xf64>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

// CHECK-LABEL: func.func @abs_bounded(
// CHECK: types0 = tensor<?xi8, #stablehlo.bounds<9>>
func.func @abs_bounded(%operand: tensor<?xi8, #stablehlo.bounds<9>>) {
  %0 = stablehlo.abs %operand : (tensor<?xi8, #stablehlo.bounds<9>>) -> tensor<?xi8>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xi8>) -> tensor<?xi8>
  return
}

// -----

// CHECK-LABEL: func.func @abs_quantized(
// CHECK: types0 = tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>
func.func @abs_quantized(%operand: tensor<2x!quant.uniform<i8:f32, 0.5:1>>) {
  %0 = stablehlo.abs %operand : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x!quant.uniform<i8:f32, 2.0>>
  %shown = "hlo_test_infer.get_return_types"(%0)
      : (tensor<2x!quant.uniform<i8:f32, 2.000000e+00>>) -> tensor<2x!quant.uniform<i8:f32, 2.000000e+00>>
  return
}
