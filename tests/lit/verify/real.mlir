// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @real(%operand: tensor<7xcomplex<f64>>) {
  %0 = stablehlo.real %operand : (tensor<7xcomplex<f64>>) -> tensor<7xf64>
  return
}

// -----

func.func @real_c2_float(%operand: tensor<2x2xbf16>) {
  %0 = stablehlo.real %operand : tensor<2x2xbf16>
  return
}

// -----

func.func @real_c1_dynamic(%operand: tensor<?xcomplex<f32>>) {
  %0 = stablehlo.real %operand : (tensor<?xcomplex<f32>>) -> tensor<7xf32>
  return
}

// -----

func.func @real_c1_bounded(%operand: tensor<2x?xcomplex<f32>, #stablehlo.bounds<?, 5>>) {
  %0 = stablehlo.real %operand
      : (tensor<2x?xcomplex<f32>, #stablehlo.bounds<?, 5>>) -> tensor<2x?xf32, #stablehlo.bounds<?, 5>>
  return
}

// -----

func.func @real_c1(%operand: tensor<7xcomplex<f64>>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = stablehlo.real %operand : (tensor<7xcomplex<f64>>) -> tensor<1x7xf64>
  return
}

// -----

func.func @real_c2(%operand: tensor<7xcomplex<f64>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<7xf64>' are incompatible with return type(s) of operation 'tensor<7xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.real %operand : (tensor<7xcomplex<f64>>) -> tensor<7xf32>
  return
}

// -----

func.func @real_c2_float_invalid(%operand: tensor<2x2xbf16>) {
  // expected-error@+2 {{inferred type(s) 'tensor<2x2xbf16>' are incompatible with return type(s) of operation 'tensor<2x2xf16>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.real %operand : (tensor<2x2xbf16>) -> tensor<2x2xf16>
  return
}

// -----

func.func @real_i1(%operand: tensor<6xui8>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.real %operand : tensor<6xui8>
  return
}
