// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @imag(%operand: tensor<2x3xcomplex<f32>>) {
  %0 = stablehlo.imag %operand : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
  return
}

// -----

func.func @imag_c2_float(%operand: tensor<6xf16>) {
  %0 = stablehlo.imag %operand : tensor<6xf16>
  return
}

// -----

func.func @imag_c1_dynamic(%operand: tensor<?x3xcomplex<f32>>) {
  %0 = stablehlo.imag %operand : (tensor<?x3xcomplex<f32>>) -> tensor<?x?xf32>
  return
}

// -----

func.func @imag_c1_bounded(%operand: tensor<?xcomplex<f64>, #stablehlo.bounds<3>>) {
  %0 = stablehlo.imag %operand : (tensor<?xcomplex<f64>, #stablehlo.bounds<3>>) -> tensor<?xf64, #stablehlo.bounds<3>>
  return
}

// -----

func.func @imag_c1(%operand: tensor<2x3xcomplex<f32>>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = stablehlo.imag %operand : (tensor<2x3xcomplex<f32>>) -> tensor<2x4xf32>
  return
}

// -----

func.func @imag_c2(%operand: tensor<2x3xcomplex<f32>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<2x3xf32>' are incompatible with return type(s) of operation 'tensor<2x3xf64>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.imag %operand : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf64>
  return
}

// -----

func.func @imag_c2_float_invalid(%operand: tensor<6xf16>) {
  // expected-error@+2 {{inferred type(s) 'tensor<6xf16>' are incompatible with return type(s) of operation 'tensor<6xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.imag %operand : (tensor<6xf16>) -> tensor<6xf32>
  return
}

// -----

func.func @imag_c2_complex_result(%operand: tensor<2x3xcomplex<f32>>) {
  // expected-error@+1 {{result #0 must be ranked tensor of}}
  %0 = stablehlo.imag %operand : tensor<2x3xcomplex<f32>>
  return
}

// -----

func.func @imag_i1(%operand: tensor<6xi32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.imag %operand : tensor<6xi32>
  return
}
