// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @fft(
// CHECK: types0 = tensor<3x5xcomplex<f32>>
func.func @fft(%operand: tensor<3x8xf32>) {
  %0 = stablehlo.fft %operand, type = RFFT, length = [8] : (tensor<3x8xf32>) -> tensor<?x?xcomplex<f32>>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xcomplex<f32>>) -> tensor<?x?xcomplex<f32>>
  return
}

// -----

// CHECK-LABEL: func.func @fft_irfft(
// CHECK: types0 = tensor<3x8xf64>
func.func @fft_irfft(%operand: tensor<3x5xcomplex<f64>>) {
  %0 = stablehlo.fft %operand, type = IRFFT, length = [8] : (tensor<3x5xcomplex<f64>>) -> tensor<?x?xf64>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return
}

// -----

// CHECK-LABEL: func.func @fft_bounded(
// CHECK: types0 = tensor<?x8xcomplex<f32>, #stablehlo.bounds<4, ?>>
func.func @fft_bounded(%operand: tensor<?x8xcomplex<f32>, #stablehlo.bounds<4, ?>>) {
  %0 = stablehlo.fft %operand, type = FFT, length = [8]
      : (tensor<?x8xcomplex<f32>, #stablehlo.bounds<4, ?>>) -> tensor<?x?xcomplex<f32>>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xcomplex<f32>>) -> tensor<?x?xcomplex<f32>>
  return
}
