// Writes the sharding rule of each op into an attribute.
// REQUIRES: pass-sdy-populate-op-sharding-rules
// RUN: stablehlo-opt %s --sdy-populate-op-sharding-rules | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(sdy-populate-op-sharding-rules))' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<8x4xf32>, %{{.*}}: tensor<4x2xf32>) -> tensor<8x2xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.dot %{{.*}}, %{{.*}} {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=2, k=4} reduction={k}>} : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8x2xf32>
func.func @main(%lhs: tensor<8x4xf32>, %rhs: tensor<4x2xf32>) -> tensor<8x2xf32> {
  %0 = stablehlo.dot %lhs, %rhs : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return %0 : tensor<8x2xf32>
}
