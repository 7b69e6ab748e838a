// Makes symbols of the meshes that are written into shardings.
// REQUIRES: lifts-meshes-for-stablehlo
// RUN: stablehlo-opt %s --sdy-lift-inlined-meshes | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(sdy-lift-inlined-meshes)' | FileCheck %s

// CHECK: sdy.mesh @mesh = <["x"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8xf32>
func.func @main(%operand: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2]>, [{"x"}]>}) -> tensor<8xf32> {
  return %operand : tensor<8xf32>
}
