// RUN: stablehlo-opt %s --verify-diagnostics=only-expected --split-input-file
// RUN: not stablehlo-opt %s --verify-diagnostics --split-input-file 2>&1 | FileCheck %s

// CHECK: error: unexpected error: 'stablehlo.transpose' op failed to infer returned types
func.func @two_errors(%operand: tensor<2xf32>) {
  // expected-error @below {{attribute permutation must be a permutation}}
  %0 = stablehlo.transpose %operand, dims = [2] : (tensor<2xf32>) -> tensor<2xf32>
  return
}
