// Removes shardings and meshes.
// REQUIRES: pass-sdy-drop-sharding-and-mesh
// RUN: stablehlo-opt %s --sdy-drop-sharding-and-mesh | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(sdy-drop-sharding-and-mesh)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.tanh %{{.*}} : tensor<8x8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8x8xf32>
sdy.mesh @mesh = <["x"=2, "y"=4]>

func.func @main(%operand: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %0 = stablehlo.tanh %operand {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
