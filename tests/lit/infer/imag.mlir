// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @imag(
// CHECK: types0 = tensor<2x3xf32>
func.func @imag(%operand: tensor<2x3xcomplex<f32>>) {
  %0 = stablehlo.imag %operand : (tensor<2x3xcomplex<f32>>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @imag_float(
// CHECK: types0 = tensor<?xf16, #stablehlo.bounds<3>>
func.func @imag_float(%operand: tensor<?xf16, #stablehlo.bounds<3>>) {
  %0 = stablehlo.imag %operand : (tensor<?xf16, #stablehlo.bounds<3>>) -> tensor<?xf16>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf16>) -> tensor<?xf16>
  return
}
