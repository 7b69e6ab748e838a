// The guideline's example: two constants that are almost equal, and not equal.
// RUN: stablehlo-translate --interpret --function=almost %s
// RUN: not stablehlo-translate --interpret --function=exactly %s 2>&1 | FileCheck %s

func.func @almost() {
  %fifth = stablehlo.constant dense<0.2> : tensor<f32>
  check.expect_almost_eq_const %fifth, dense<0.19999> : tensor<f32>
  func.return
}

// CHECK: check.tolerance.mlir:[[# @LINE + 3]]:3: error: 'check.expect_eq_const' op element values don't match
func.func @exactly() {
  %fifth = stablehlo.constant dense<0.2> : tensor<f32>
  check.expect_eq_const %fifth, dense<0.19999> : tensor<f32>
  func.return
}
