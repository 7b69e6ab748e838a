// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @real(
// CHECK: types0 = tensor<7xf64>
func.func @real(%operand: tensor<7xcomplex<f64>>) {
  %0 = stablehlo.real %operand : (tensor<7xcomplex<f64>>) -> tensor<?xf64>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

// CHECK-LABEL: func.func @real_bounded(
// CHECK: types0 = tensor<?xf32, #stablehlo.bounds<3>>
func.func @real_bounded(%operand: tensor<?xcomplex<f32>, #stablehlo.bounds<3>>) {
  %0 = stablehlo.real %operand : (tensor<?xcomplex<f32>, #stablehlo.bounds<3>>) -> tensor<?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}
