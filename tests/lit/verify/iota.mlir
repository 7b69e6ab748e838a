// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @iota() {
  %0 = stablehlo.iota dim = 1 : tensor<2x3xi32>
  return
}

// -----

func.func @iota_complex() {
  %0 = stablehlo.iota dim = 0 : tensor<4xcomplex<f32>>
  return
}

// -----

func.func @iota_c1() {
  // expected-error@+1 {{iota dimension cannot go beyond the output rank.}}
  %0 = stablehlo.iota dim = 2 : tensor<2x3xi32>
  return
}

// -----

func.func @iota_c1_negative() {
  // expected-error@+1 {{attribute 'iota_dimension' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = "stablehlo.iota"() {iota_dimension = -1 : i64} : () -> tensor<4xi32>
  return
}

// -----

func.func @iota_c1_scalar() {
  // expected-error@+1 {{does not support scalars.}}
  %0 = stablehlo.iota dim = 0 : tensor<i32>
  return
}

// -----

func.func @iota_o1_boolean() {
  // expected-error@+1 {{result #0 must be statically shaped tensor of}}
  %0 = stablehlo.iota dim = 0 : tensor<4xi1>
  return
}

// -----

func.func @iota_o1_dynamic() {
  // expected-error@+1 {{result #0 must be statically shaped tensor of}}
  %0 = stablehlo.iota dim = 0 : tensor<?xi32>
  return
}
