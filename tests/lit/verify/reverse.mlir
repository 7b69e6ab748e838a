// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @reverse(%operand: tensor<2x3x4xi16>) {
  %0 = stablehlo.reverse %operand, dims = [2, 0] : tensor<2x3x4xi16>
  return
}

// -----

func.func @reverse_none(%operand: tensor<2xi16>) {
  %0 = stablehlo.reverse %operand, dims = [] : tensor<2xi16>
  return
}

// -----

func.func @reverse_c1_dynamic(%operand: tensor<?x3xi16>) {
  %0 = stablehlo.reverse %operand, dims = [0] : (tensor<?x3xi16>) -> tensor<2x?xi16>
  return
}

// -----

func.func @reverse_c1_bounded(%operand: tensor<?x3xi16, #stablehlo.bounds<4, ?>>) {
  %0 = stablehlo.reverse %operand, dims = [0] : tensor<?x3xi16, #stablehlo.bounds<4, ?>>
  return
}

// -----

func.func @reverse_c1(%operand: tensor<2x3xi16>) {
  // expected-error@+2 {{inferred type(s) 'tensor<2x3xi16>' are incompatible with return type(s) of operation 'tensor<3x2xi16>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.reverse"(%operand) {dimensions = array<i64: 0>} : (tensor<2x3xi16>) -> tensor<3x2xi16>
  return
}

// -----

func.func @reverse_c1_element_type(%operand: tensor<2x3xi16>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = "stablehlo.reverse"(%operand) {dimensions = array<i64: 0>} : (tensor<2x3xi16>) -> tensor<2x3xi8>
  return
}

// -----

func.func @reverse_c2(%operand: tensor<2x3xi16>) {
  // expected-error@+1 {{dimensions should be unique. Got: 1, 1}}
  %0 = stablehlo.reverse %operand, dims = [1, 1] : tensor<2x3xi16>
  return
}

// -----

func.func @reverse_c3(%operand: tensor<2x3xi16>) {
  // expected-error@+1 {{all dimensions should be between [0, 2). Got dimension: 2.}}
  %0 = stablehlo.reverse %operand, dims = [2] : tensor<2x3xi16>
  return
}

// -----

func.func @reverse_c3_negative(%operand: tensor<2x3xi16>) {
  // expected-error@+1 {{all dimensions should be non-negative. Got dimension: -1.}}
  %0 = stablehlo.reverse %operand, dims = [-1] : tensor<2x3xi16>
  return
}
