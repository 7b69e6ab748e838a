// RUN: stablehlo-opt %s --verify-roundtrip | FileCheck %s

// CHECK: stablehlo.reduce
// CHECK: check.expect_close
func.func @sum(%operand: tensor<2x3xf32>, %expected: tensor<3xf32>) -> tensor<3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%operand init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_close %0, %expected, max_ulp_difference = 2 : tensor<3xf32>, tensor<3xf32>
  return %0 : tensor<3xf32>
}
