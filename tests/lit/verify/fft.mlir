// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @fft(%operand: tensor<3x8xcomplex<f32>>) {
  %0 = stablehlo.fft %operand, type = FFT, length = [8] : (tensor<3x8xcomplex<f32>>) -> tensor<3x8xcomplex<f32>>
  return
}

// -----

func.func @fft_c2_c4_c5_rfft(%operand: tensor<3x8xf32>) {
  %0 = stablehlo.fft %operand, type = RFFT, length = [3, 8] : (tensor<3x8xf32>) -> tensor<3x5xcomplex<f32>>
  return
}

// -----

func.func @fft_c2_c4_c5_irfft(%operand: tensor<3x5xcomplex<f64>>) {
  %0 = stablehlo.fft %operand, type = IRFFT, length = [8] : (tensor<3x5xcomplex<f64>>) -> tensor<3x8xf64>
  return
}

// -----

func.func @fft_c5_dynamic(%operand: tensor<?x8xcomplex<f32>>) {
  %0 = stablehlo.fft %operand, type = IFFT, length = [8] : (tensor<?x8xcomplex<f32>>) -> tensor<?x8xcomplex<f32>>
  return
}

// -----

func.func @fft_c5_bounded(%operand: tensor<?x8xcomplex<f32>, #stablehlo.bounds<4, ?>>) {
  %0 = stablehlo.fft %operand, type = FFT, length = [8]
      : (tensor<?x8xcomplex<f32>, #stablehlo.bounds<4, ?>>) -> tensor<?x8xcomplex<f32>, #stablehlo.bounds<4, ?>>
  return
}

// -----

func.func @fft_c1(%operand: tensor<8xcomplex<f32>>) {
  // expected-error@+2 {{operand rank must not be less than fft rank of 2 for operand of type 'tensor<8xcomplex<f32>>'.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.fft %operand, type = FFT, length = [8, 8] : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  return
}

// -----

func.func @fft_c2_fft(%operand: tensor<8xf32>) {
  // expected-error@+2 {{FFT/IFFT/IRFFT take a complex tensor as input, but is given 'tensor<8xf32>'.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.fft %operand, type = FFT, length = [8] : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @fft_c2_ifft(%operand: tensor<8xf32>) {
  // expected-error@+2 {{FFT/IFFT/IRFFT take a complex tensor as input, but is given 'tensor<8xf32>'.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.fft %operand, type = IFFT, length = [8] : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @fft_c2_rfft(%operand: tensor<8xcomplex<f32>>) {
  // expected-error@+2 {{RFFT requires f32 or f64 input type, but is given 'complex<f32>'.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.fft %operand, type = RFFT, length = [8] : (tensor<8xcomplex<f32>>) -> tensor<5xcomplex<f32>>
  return
}

// -----

func.func @fft_c2_irfft(%operand: tensor<5xf32>) {
  // expected-error@+2 {{FFT/IFFT/IRFFT take a complex tensor as input, but is given 'tensor<5xf32>'.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.fft %operand, type = IRFFT, length = [8] : (tensor<5xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @fft_c2_result(%operand: tensor<8xcomplex<f32>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<8xcomplex<f32>>' are incompatible with return type(s) of operation 'tensor<8xcomplex<f64>>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.fft %operand, type = FFT, length = [8] : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f64>>
  return
}

// -----

func.func @fft_c3_none(%operand: tensor<8xcomplex<f32>>) {
  // expected-error@+2 {{rank must be between 1 and 3, but got 0.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.fft %operand, type = FFT, length = [] : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  return
}

// -----

func.func @fft_c3_many(%operand: tensor<2x2x2x2xcomplex<f32>>) {
  // expected-error@+2 {{rank must be between 1 and 3, but got 4.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.fft %operand, type = FFT, length = [2, 2, 2, 2]
      : (tensor<2x2x2x2xcomplex<f32>>) -> tensor<2x2x2x2xcomplex<f32>>
  return
}

// -----

func.func @fft_c4_rfft(%operand: tensor<3x8xf32>) {
  // expected-error@+2 {{RFFT requires innermost dimensions to be compatible with fft_length. Got: 3, 8 but wanted 6.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.fft %operand, type = RFFT, length = [6] : (tensor<3x8xf32>) -> tensor<3x4xcomplex<f32>>
  return
}

// -----

func.func @fft_c4_irfft(%operand: tensor<3x5xcomplex<f32>>) {
  // expected-error@+2 {{IRFFT requires innermost dimension to be compatible with fft_length[-1]/2+1. Got: 5 but fft_length is 10.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.fft %operand, type = IRFFT, length = [10] : (tensor<3x5xcomplex<f32>>) -> tensor<3x10xf32>
  return
}

// -----

func.func @fft_c4_irfft_leading(%operand: tensor<3x5xcomplex<f32>>) {
  // expected-error@+2 {{IRFFT requires non-final dimensions to be compatible with fft_length. Got: 3, 5 but wanted 4, 8, and 3 != 4.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.fft %operand, type = IRFFT, length = [4, 8] : (tensor<3x5xcomplex<f32>>) -> tensor<3x8xf32>
  return
}

// -----

func.func @fft_c5(%operand: tensor<3x8xcomplex<f32>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<3x8xcomplex<f32>>' are incompatible with return type(s) of operation 'tensor<3x4xcomplex<f32>>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.fft %operand, type = FFT, length = [8] : (tensor<3x8xcomplex<f32>>) -> tensor<3x4xcomplex<f32>>
  return
}

// -----

func.func @fft_c5_rfft(%operand: tensor<8xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<5xcomplex<f32>>' are incompatible with return type(s) of operation 'tensor<8xcomplex<f32>>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.fft %operand, type = RFFT, length = [8] : (tensor<8xf32>) -> tensor<8xcomplex<f32>>
  return
}

// -----

func.func @fft_i1(%operand: tensor<8xi32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.fft %operand, type = FFT, length = [8] : (tensor<8xi32>) -> tensor<8xi32>
  return
}
