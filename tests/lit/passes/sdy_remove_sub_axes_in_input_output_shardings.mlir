// Keeps parts of axes out of the open shardings of arguments and results.
// REQUIRES: pass-sdy-remove-sub-axes-in-input-output-shardings, keeps-sub-axes-in-closed-shardings
// RUN: stablehlo-opt %s --sdy-remove-sub-axes-in-input-output-shardings | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(sdy-remove-sub-axes-in-input-output-shardings)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>
// CHECK-SAME: sdy.sharding = #sdy.sharding<@mesh, [{"y":(1)2}]>
sdy.mesh @mesh = <["x"=2, "y"=4]>

func.func @main(%operand: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y":(1)2, ?}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y":(1)2}]>}) {
  return %operand : tensor<8xf32>
}
