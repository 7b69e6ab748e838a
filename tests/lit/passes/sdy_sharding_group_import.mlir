// Merges sharding groups that share values, and numbers them.
// REQUIRES: pass-sdy-sharding-group-import
// RUN: stablehlo-opt %s --sdy-sharding-group-import | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(sdy-sharding-group-import)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<8xf32>, %{{.*}}: tensor<8xf32>)
// CHECK-NEXT: sdy.sharding_group %{{.*}} group_id=0 : tensor<8xf32>
// CHECK-NEXT: sdy.sharding_group %{{.*}} group_id=0 : tensor<8xf32>
// CHECK-NEXT: return
func.func @main(%first: tensor<8xf32>, %second: tensor<8xf32>) {
  sdy.sharding_group %first group_id = 30 : tensor<8xf32>
  sdy.sharding_group %first group_id = 20 : tensor<8xf32>
  sdy.sharding_group %second group_id = 20 : tensor<8xf32>
  return
}
