// Closes every dimension of every sharding.
// REQUIRES: pass-sdy-close-shardings
// RUN: stablehlo-opt %s --sdy-close-shardings | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(sdy-close-shardings)' | FileCheck %s

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.tanh %{{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8x8xf32>
sdy.mesh @mesh = <["x"=2, "y"=4]>

func.func @main(%operand: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.tanh %operand {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}]>]>} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
