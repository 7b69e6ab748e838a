// RUN: stablehlo-translate --interpret %s | FileCheck %s

// CHECK: %[[NAME:.*]] = tensor<2xi64> {
// CHECK-NEXT: [4, 5]
// CHECK-NEXT: }
// CHECK-NEXT: tensor<i1> {false}
func.func @prints() -> tensor<i1> {
  %value = stablehlo.constant dense<[4, 5]> : tensor<2xi64>
  interpreter.print %value : tensor<2xi64>
  %result = stablehlo.constant dense<false> : tensor<i1>
  return %result : tensor<i1>
}
