// Resolves shardings along factors that permute data.
// REQUIRES: pass-sdy-resolve-permutation-factors, reshards-before-permutation
// RUN: stablehlo-opt %s --sdy-resolve-permutation-factors | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(sdy-resolve-permutation-factors)' | FileCheck %s

// CHECK: sdy.mesh @mesh_reversed = <["x"=2, "y"=4], device_ids=[4, 5, 6, 7, 0, 1, 2, 3]>
// CHECK-NEXT: sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
// CHECK-NEXT: %{{.*}} = sdy.reshard %{{.*}} <@mesh_reversed, [{"x"}]> : tensor<8xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.reverse %{{.*}}, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8xf32>
sdy.mesh @mesh = <["x"=2, "y"=4]>

func.func @main(%operand: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.reverse %operand, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}
