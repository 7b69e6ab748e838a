// Removes the sharding rules of ops.
// REQUIRES: pass-sdy-drop-sharding-rules
// RUN: stablehlo-opt %s --sdy-drop-sharding-rules | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(sdy-drop-sharding-rules))' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.tanh %{{.*}} : tensor<8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8xf32>
func.func @main(%operand: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %operand {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}
