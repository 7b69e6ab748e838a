// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @_asin_acos_kernel(
// CHECK: types0 = tensor<4xcomplex<f32>>
func.func @_asin_acos_kernel(%operand: tensor<4xcomplex<f32>>) {
  %0 = chlo._asin_acos_kernel %operand : tensor<4xcomplex<f32>> -> tensor<?xcomplex<f32>>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>>
  return
}
