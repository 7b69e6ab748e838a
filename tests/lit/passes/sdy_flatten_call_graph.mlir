// Copies functions so that each is called once.
// REQUIRES: pass-sdy-flatten-call-graph
// RUN: stablehlo-opt %s --sdy-flatten-call-graph | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(sdy-flatten-call-graph)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %{{.*}} = call @layer(%{{.*}}) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %{{.*}} = call @layer_0(%{{.*}}) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8xf32>
// CHECK-LABEL: func.func private @layer
// CHECK-SAME: %{{.*}}: tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.tanh %{{.*}} : tensor<8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8xf32>
// CHECK-LABEL: func.func private @layer_0
// CHECK-SAME: %{{.*}}: tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "layer"}
// CHECK-NEXT: %{{.*}} = stablehlo.tanh %{{.*}} : tensor<8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8xf32>
func.func @main(%operand: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @layer(%operand) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @layer(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @layer(%operand: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %operand : tensor<8xf32>
  return %0 : tensor<8xf32>
}
