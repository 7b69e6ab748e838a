// RUN: stablehlo-translate --interpret %s --deterministic | FileCheck %s

// CHECK: tensor<1x1xf32> {
// CHECK: 2.560000e+02
func.func @main() -> tensor<1x1xf32> {
  %lhs = stablehlo.constant dense<1.0> : tensor<1x256xf32>
  %rhs = stablehlo.constant dense<1.0> : tensor<256x1xf32>
  %product = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<1x256xf32>, tensor<256x1xf32>) -> tensor<1x1xf32>
  return %product : tensor<1x1xf32>
}
