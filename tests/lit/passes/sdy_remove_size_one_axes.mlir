// Removes mesh axes of size one from shardings.
// REQUIRES: pass-sdy-remove-size-one-axes
// RUN: stablehlo-opt %s --sdy-remove-size-one-axes | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(sdy-remove-size-one-axes)' | FileCheck %s

// CHECK: sdy.mesh @mesh = <["x"=2, "one"=1]>
// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8xf32>
sdy.mesh @mesh = <["x"=2, "one"=1]>
func.func @main(%operand: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "one"}]>}) -> tensor<8xf32> {
  return %operand : tensor<8xf32>
}
