// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @cholesky(%a: tensor<4x4xf32>) {
  %0 = stablehlo.cholesky %a, lower = true : tensor<4x4xf32>
  return
}

// -----

func.func @cholesky_c3_dynamic(%a: tensor<2x?x4xf64>) {
  %0 = stablehlo.cholesky %a : tensor<2x?x4xf64>
  return
}

// -----

func.func @cholesky_c1_bounded(%a: tensor<?x4x4xf64, #stablehlo.bounds<3, ?, ?>>) {
  %0 = stablehlo.cholesky %a : tensor<?x4x4xf64, #stablehlo.bounds<3, ?, ?>>
  return
}

// -----

func.func @cholesky_complex(%a: tensor<3x3xcomplex<f32>>) {
  %0 = stablehlo.cholesky %a : tensor<3x3xcomplex<f32>>
  return
}

// -----

func.func @cholesky_c1(%a: tensor<4x4xf32>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = stablehlo.cholesky %a, lower = true : (tensor<4x4xf32>) -> tensor<4x4xf64>
  return
}

// -----

func.func @cholesky_c1_shape(%a: tensor<4x4xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4x4xf32>' are incompatible with return type(s) of operation 'tensor<2x4x4xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.cholesky %a, lower = true : (tensor<4x4xf32>) -> tensor<2x4x4xf32>
  return
}

// -----

func.func @cholesky_c2(%a: tensor<4xf32>) {
  // expected-error@+2 {{argument 'a' must have rank >= 2, got shape 4.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.cholesky %a, lower = true : tensor<4xf32>
  return
}

// -----

func.func @cholesky_c3(%a: tensor<4x3xf32>) {
  // expected-error@+2 {{minor dimensions of 'a' must have equal size, got shape 4, 3.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.cholesky %a, lower = true : tensor<4x3xf32>
  return
}

// -----

func.func @cholesky_i1(%a: tensor<4x4xi32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.cholesky %a, lower = true : tensor<4x4xi32>
  return
}
