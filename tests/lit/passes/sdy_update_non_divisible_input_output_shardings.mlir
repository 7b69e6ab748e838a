// Drops axes that do not divide an argument's or a result's dimension.
// REQUIRES: pass-sdy-update-non-divisible-input-output-shardings
// RUN: stablehlo-opt %s --sdy-update-non-divisible-input-output-shardings | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(sdy-update-non-divisible-input-output-shardings)' | FileCheck %s

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<6xf32>
// CHECK-NEXT: return %{{.*}} : tensor<6xf32>
sdy.mesh @mesh = <["x"=2, "y"=4]>

func.func @main(%operand: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) -> tensor<6xf32> {
  return %operand : tensor<6xf32>
}
