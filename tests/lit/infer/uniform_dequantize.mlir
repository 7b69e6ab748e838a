// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @uniform_dequantize(
// CHECK: types0 = tensor<4xf32>
func.func @uniform_dequantize(%operand: tensor<4x!quant.uniform<i8:f32, 0.5:1>>) {
  %0 = stablehlo.uniform_dequantize %operand : (tensor<4x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @uniform_dequantize_per_axis(
// CHECK: types0 = tensor<?x2xf16>
func.func @uniform_dequantize_per_axis(%operand: tensor<?x2x!quant.uniform<i8:f16:1, {0.5, 0.25}>>) {
  %0 = stablehlo.uniform_dequantize %operand : (tensor<?x2x!quant.uniform<i8:f16:1, {0.5, 0.25}>>) -> tensor<?x?xf16>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf16>) -> tensor<?x?xf16>
  return
}
