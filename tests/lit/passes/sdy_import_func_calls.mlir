// Makes named computations of calls.
// REQUIRES: pass-sdy-import-func-calls
// RUN: stablehlo-opt %s --sdy-import-func-calls | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(sdy-import-func-calls)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %{{.*}} = sdy.named_computation<"layer">(%{{.*}}) (%{{.*}}: tensor<8xf32>) {
// CHECK-NEXT: %{{.*}} = sdy.data_flow_edge %{{.*}} : tensor<8xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.tanh %{{.*}} : tensor<8xf32>
// CHECK-NEXT: sdy.return %{{.*}} : tensor<8xf32>
// CHECK-NEXT: } : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %{{.*}} = sdy.data_flow_edge %{{.*}} : tensor<8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8xf32>
func.func @main(%operand: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @layer(%operand) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @layer(%operand: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %operand : tensor<8xf32>
  return %0 : tensor<8xf32>
}
