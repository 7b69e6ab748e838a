// RUN: stablehlo-translate --interpret --split-input-file %s

// The lengths of a transform of complex numbers are those of the operand, whatever fft_length says (C4 is about real
// tensors).
func.func @length_0_of_complex_numbers() {
  %operand = stablehlo.constant dense<[(1.0, 0.0), (0.0, 0.0)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.fft %operand, type = FFT, length = [0] : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<(1.0, 0.0)> : tensor<2xcomplex<f32>>
  %inverse = stablehlo.fft %operand, type = IFFT, length = [-2] : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %inverse, dense<(0.5, 0.0)> : tensor<2xcomplex<f32>>
  return
}

// -----

// The dialect wants an element where the specification wants none.
func.func @length_0_of_one_complex_number() {
  %one = stablehlo.constant dense<[(1.0, 0.0)]> : tensor<1xcomplex<f32>>
  %of_one = stablehlo.fft %one, type = IRFFT, length = [0] : (tensor<1xcomplex<f32>>) -> tensor<0xf32>
  check.expect_eq_const %of_one, dense<> : tensor<0xf32>
  %dynamic = stablehlo.fft %one, type = IRFFT, length = [0] : (tensor<1xcomplex<f32>>) -> tensor<?xf32>
  %size = stablehlo.get_dimension_size %dynamic, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  check.expect_eq_const %size, dense<0> : tensor<i32>
  return
}
