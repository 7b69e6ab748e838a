// RUN: stablehlo partition %s --why | FileCheck %s
// REQUIRES: partition, pass-sdy-remove-propagation-debug-info

// What Shardy propagates to values of six rows, which four devices do not divide, is not how they are cut.

// CHECK: where axes come from:
// CHECK-NEXT: argument 0 tensor<8x8xf32>
// CHECK-NEXT: "x": given here
// CHECK-NEXT: why collectives are there:

sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<6x8xf32> {
  %0 = stablehlo.add %a, %a : tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}
