// Turns types and ops of the whole mesh into those of one device.
// REQUIRES: pass-sdy-convert-global-to-local
// RUN: stablehlo-opt %s --sdy-convert-global-to-local | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(sdy-convert-global-to-local)' | FileCheck %s

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
// CHECK-NEXT: %{{.*}} = stablehlo.tanh %{{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : tensor<4x2xf32>
// CHECK-NEXT: return %{{.*}} : tensor<4x2xf32>
sdy.mesh @mesh = <["x"=2, "y"=4]>

func.func @main(%operand: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %0 = stablehlo.tanh %operand {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
