// Turns sharding constraints into reshards.
// REQUIRES: pass-sdy-sharding-constraint-to-reshard
// RUN: stablehlo-opt %s --sdy-sharding-constraint-to-reshard | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(sdy-sharding-constraint-to-reshard))' | FileCheck %s

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.tanh %{{.*}} : tensor<8x8xf32>
// CHECK-NEXT: %{{.*}} = sdy.reshard %{{.*}} <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8x8xf32>
sdy.mesh @mesh = <["x"=2, "y"=4]>

func.func @main(%operand: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.tanh %operand : tensor<8x8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
