// Removes the notes of debugging propagation.
// REQUIRES: pass-sdy-basic-propagate, pass-sdy-remove-propagation-debug-info
// RUN: stablehlo-opt %s --sdy-basic-propagate='debug-sharding-origins=true debug-propagation-edge-sharding=true' | FileCheck --check-prefix=NOTES %s
// RUN: stablehlo-opt %s --sdy-basic-propagate='debug-sharding-origins=true debug-propagation-edge-sharding=true' --sdy-remove-propagation-debug-info | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(sdy-basic-propagate{debug-sharding-origins=true},sdy-remove-propagation-debug-info)' | FileCheck %s

// NOTES: sdy.sharding_origins
// NOTES: stablehlo.tanh %{{.*}} {sdy.propagation_edges = {{.*}}, sdy.sharding_origins
// CHECK-NOT: sdy.sharding_origins
// CHECK-NOT: sdy.propagation_edges
// CHECK: stablehlo.tanh %{{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}]>]>}
sdy.mesh @mesh = <["x"=2]>

func.func @main(%operand: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.tanh %operand : tensor<8xf32>
  return %0 : tensor<8xf32>
}
