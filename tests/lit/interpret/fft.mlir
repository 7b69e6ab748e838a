// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]> : tensor<4xcomplex<f32>>
  %result = stablehlo.fft %operand, type = FFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %result, dense<(1.0, 0.0)> : tensor<4xcomplex<f32>>
  return
}

// -----

func.func @inverse_of_two_dimensions() {
  %operand = stablehlo.constant dense<[[(4.0, 0.0), (0.0, 4.0)], [(0.0, 0.0), (0.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  %result = stablehlo.fft %operand, type = IFFT, length = [2, 2] : (tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[[(1.0, 1.0), (1.0, -1.0)], [(1.0, 1.0), (1.0, -1.0)]]> : tensor<2x2xcomplex<f64>>
  return
}

// -----

func.func @of_real_numbers() {
  %operand = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %result = stablehlo.fft %operand, type = RFFT, length = [4] : (tensor<4xf64>) -> tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(10.0, 0.0), (-2.0, 2.0), (-2.0, 0.0)]> : tensor<3xcomplex<f64>>
  return
}

// -----

func.func @to_an_odd_number_of_real_numbers() {
  %operand = stablehlo.constant dense<[(6.0, 0.0), (0.0, 0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.fft %operand, type = IRFFT, length = [3] : (tensor<2xcomplex<f64>>) -> tensor<3xf64>
  check.expect_almost_eq_const %result, dense<2.0> : tensor<3xf64>
  return
}

// -----

func.func @length_0_of_real_numbers() {
  %none = stablehlo.constant dense<> : tensor<0xf32>
  %empty = stablehlo.fft %none, type = RFFT, length = [0] : (tensor<0xf32>) -> tensor<0xcomplex<f32>>
  check.expect_eq_const %empty, dense<> : tensor<0xcomplex<f32>>
  %back = stablehlo.fft %empty, type = IRFFT, length = [0] : (tensor<0xcomplex<f32>>) -> tensor<0xf32>
  check.expect_eq_const %back, dense<> : tensor<0xf32>
  return
}

// -----

func.func @of_seven() {
  %operand = stablehlo.constant dense<(1.0, 0.0)> : tensor<7xcomplex<f64>>
  %result = stablehlo.fft %operand, type = FFT, length = [7] : (tensor<7xcomplex<f64>>) -> tensor<7xcomplex<f64>>
  %sum = stablehlo.constant dense<(7.0, 0.0)> : tensor<1xcomplex<f64>>
  %rest = stablehlo.constant dense<(0.0, 0.0)> : tensor<6xcomplex<f64>>
  %expected = stablehlo.concatenate %sum, %rest, dim = 0 : (tensor<1xcomplex<f64>>, tensor<6xcomplex<f64>>) -> tensor<7xcomplex<f64>>
  check.expect_almost_eq %result, %expected : tensor<7xcomplex<f64>>
  %back = stablehlo.fft %result, type = IFFT, length = [7] : (tensor<7xcomplex<f64>>) -> tensor<7xcomplex<f64>>
  check.expect_almost_eq %back, %operand : tensor<7xcomplex<f64>>
  return
}

// -----

func.func @of_a_large_prime() {
  %operand = stablehlo.constant dense<(1.0, 0.0)> : tensor<211xcomplex<f64>>
  %result = stablehlo.fft %operand, type = FFT, length = [211] : (tensor<211xcomplex<f64>>) -> tensor<211xcomplex<f64>>
  %sum = stablehlo.constant dense<(211.0, 0.0)> : tensor<1xcomplex<f64>>
  %rest = stablehlo.constant dense<(0.0, 0.0)> : tensor<210xcomplex<f64>>
  %expected = stablehlo.concatenate %sum, %rest, dim = 0 : (tensor<1xcomplex<f64>>, tensor<210xcomplex<f64>>) -> tensor<211xcomplex<f64>>
  check.expect_almost_eq %result, %expected : tensor<211xcomplex<f64>>
  %back = stablehlo.fft %result, type = IFFT, length = [211] : (tensor<211xcomplex<f64>>) -> tensor<211xcomplex<f64>>
  check.expect_almost_eq %back, %operand : tensor<211xcomplex<f64>>
  return
}

// -----

func.func @of_a_large_prime_of_floats() {
  %operand = stablehlo.constant dense<(1.0, 0.0)> : tensor<211xcomplex<f32>>
  %result = stablehlo.fft %operand, type = FFT, length = [211] : (tensor<211xcomplex<f32>>) -> tensor<211xcomplex<f32>>
  %sum = stablehlo.constant dense<(211.0, 0.0)> : tensor<1xcomplex<f32>>
  %rest = stablehlo.constant dense<(0.0, 0.0)> : tensor<210xcomplex<f32>>
  %expected = stablehlo.concatenate %sum, %rest, dim = 0 : (tensor<1xcomplex<f32>>, tensor<210xcomplex<f32>>) -> tensor<211xcomplex<f32>>
  check.expect_almost_eq %result, %expected : tensor<211xcomplex<f32>>
  %back = stablehlo.fft %result, type = IFFT, length = [211] : (tensor<211xcomplex<f32>>) -> tensor<211xcomplex<f32>>
  check.expect_almost_eq %back, %operand : tensor<211xcomplex<f32>>
  return
}

// -----

func.func @of_products_of_primes() {
  %operand = stablehlo.constant dense<(1.0, 0.0)> : tensor<30xcomplex<f64>>
  %result = stablehlo.fft %operand, type = FFT, length = [30] : (tensor<30xcomplex<f64>>) -> tensor<30xcomplex<f64>>
  %sum = stablehlo.constant dense<(30.0, 0.0)> : tensor<1xcomplex<f64>>
  %rest = stablehlo.constant dense<(0.0, 0.0)> : tensor<29xcomplex<f64>>
  %expected = stablehlo.concatenate %sum, %rest, dim = 0 : (tensor<1xcomplex<f64>>, tensor<29xcomplex<f64>>) -> tensor<30xcomplex<f64>>
  check.expect_almost_eq %result, %expected : tensor<30xcomplex<f64>>
  %back = stablehlo.fft %result, type = IFFT, length = [30] : (tensor<30xcomplex<f64>>) -> tensor<30xcomplex<f64>>
  check.expect_almost_eq %back, %operand : tensor<30xcomplex<f64>>
  return
}

// -----

func.func @of_a_large_power_of_two() {
  %operand = stablehlo.constant dense<(1.0, 0.0)> : tensor<1024xcomplex<f64>>
  %result = stablehlo.fft %operand, type = FFT, length = [1024] : (tensor<1024xcomplex<f64>>) -> tensor<1024xcomplex<f64>>
  %sum = stablehlo.constant dense<(1024.0, 0.0)> : tensor<1xcomplex<f64>>
  %rest = stablehlo.constant dense<(0.0, 0.0)> : tensor<1023xcomplex<f64>>
  %expected = stablehlo.concatenate %sum, %rest, dim = 0 : (tensor<1xcomplex<f64>>, tensor<1023xcomplex<f64>>) -> tensor<1024xcomplex<f64>>
  check.expect_almost_eq %result, %expected : tensor<1024xcomplex<f64>>
  %back = stablehlo.fft %result, type = IFFT, length = [1024] : (tensor<1024xcomplex<f64>>) -> tensor<1024xcomplex<f64>>
  check.expect_almost_eq %back, %operand : tensor<1024xcomplex<f64>>
  return
}

// -----

func.func @of_infinity() {
  %operand = stablehlo.constant dense<[(0x7FF0000000000000, 0.0), (1.0, 0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.fft %operand, type = FFT, length = [2] : (tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
  %real = stablehlo.real %result : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  check.expect_eq_const %real, dense<0x7FF0000000000000> : tensor<2xf64>
  return
}
