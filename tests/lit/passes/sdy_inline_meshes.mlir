// Writes meshes into the shardings that name them.
// REQUIRES: pass-sdy-inline-meshes
// RUN: stablehlo-opt %s --sdy-inline-meshes | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(sdy-inline-meshes)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2, "y"=4]>, [{"x"}, {"y"}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2, "y"=4]>, [{"x"}, {"y"}]>})
// CHECK-NEXT: %{{.*}} = stablehlo.tanh %{{.*}} {sdy.sharding = #sdy.sharding_per_value<[<mesh<["x"=2, "y"=4]>, [{"x"}, {"y"}]>]>} : tensor<8x8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8x8xf32>
sdy.mesh @mesh = <["x"=2, "y"=4]>

func.func @main(%operand: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %0 = stablehlo.tanh %operand {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
