// RUN: stablehlo run %s --args='[dense<[1.0, -2.0, 3.0, 4.0]> : tensor<4xf32>]' | FileCheck %s
// CHECK: [1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
