// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics --stablehlo-verify-spec
// RUN: stablehlo-opt %s --split-input-file -o %t

// The specification wants an operand without elements.
func.func @fft_c5_irfft_gap(%operand: tensor<1xcomplex<f32>>) {
  // expected-error@+1 {{breaks C5 (complex sizes are halved along the last dimension; the rest stays): fft_type is #stablehlo<fft_type IRFFT>, fft_length is array<i64: 0>, operand is tensor<1xcomplex<f32>>}}
  %0 = stablehlo.fft %operand, type = IRFFT, length = [0] : (tensor<1xcomplex<f32>>) -> tensor<0xf32>
  return
}

// -----

// No result has a negative size: the interpreter and the shape function refuse it.
func.func @fft_c4_irfft_gap(%operand: tensor<1xcomplex<f32>>) {
  // expected-error@+1 {{breaks C4 (the real side has the lengths as its last sizes): fft_length -1 is negative}}
  %0 = stablehlo.fft %operand, type = IRFFT, length = [-1] : (tensor<1xcomplex<f32>>) -> tensor<?xf32>
  return
}
