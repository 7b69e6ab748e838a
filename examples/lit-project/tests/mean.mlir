// A program that runs passes, and one that checks itself.
// RUN: stablehlo-opt %s --cse | FileCheck %s
// RUN: stablehlo-translate --interpret %s

// CHECK-LABEL: func.func @main
// CHECK-COUNT-1: stablehlo.constant dense<2.000000e+00>
// CHECK-NOT: stablehlo.constant dense<2.000000e+00>
func.func @main() {
  %values = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%values init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  %count = stablehlo.constant dense<2.0> : tensor<f32>
  %again = stablehlo.constant dense<2.0> : tensor<f32>
  %mean = stablehlo.divide %sum, %count : tensor<f32>
  %same = stablehlo.divide %sum, %again : tensor<f32>
  check.expect_eq_const %mean, dense<2.0> : tensor<f32>
  check.expect_eq %mean, %same : tensor<f32>
  return
}
