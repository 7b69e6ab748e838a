// Removes sharding groups.
// REQUIRES: pass-sdy-remove-sharding-groups
// RUN: stablehlo-opt %s --sdy-remove-sharding-groups | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(sdy-remove-sharding-groups)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8xf32>
func.func @main(%operand: tensor<8xf32>) -> tensor<8xf32> {
  sdy.sharding_group %operand group_id = 3 : tensor<8xf32>
  return %operand : tensor<8xf32>
}
