// RUN: stablehlo-opt %s --verify-diagnostics --split-input-file
// RUN: stablehlo-opt %s -verify-diagnostics=all -split-input-file

func.func @same_line(%operand: tensor<2xf32>) {
  %0 = stablehlo.transpose %operand, dims = [2] : (tensor<2xf32>) -> tensor<2xf32> // expected-error-re {{attribute permutation must be a permutation of {{.*}} but got 2}}
  // expected-error @-1 {{failed to infer returned types}}
  return
}

// -----

func.func @next_line(%operand: tensor<2xf32>) {
  // expected-error @+1 {{use of undeclared SSA value name}}
  %0 = stablehlo.add %operand, %absent : tensor<2xf32>
  return
}

// -----

// expected-note @below {{prior use here}}
func.func @above_and_below(%lhs: tensor<2xf32>, %rhs: tensor<3xf32>) {
  // expected-error @below {{use of value '%lhs' expects different type than prior uses: 'tensor<3xf32>' vs 'tensor<2xf32>'}}
  %0 = stablehlo.add %lhs, %rhs : tensor<3xf32>
  return
}

// -----

func.func @above() -> tensor<f32> {
  func.return
  // expected-error @above {{has 0 operands, but enclosing function (@above) returns 1}}
}

// -----

// expected-error @unknown {{'stablehlo.add' op requires the same shape for all operands and results}}
func.func @without_location(%operand: tensor<2xf32>) {
  %0 = "stablehlo.add"(%operand, %operand) : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32> loc(unknown)
  return
}
