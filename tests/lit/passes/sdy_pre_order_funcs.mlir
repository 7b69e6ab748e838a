// Sorts functions so that callers precede those they call.
// REQUIRES: pass-sdy-pre-order-funcs
// RUN: stablehlo-opt %s --sdy-pre-order-funcs | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(sdy-pre-order-funcs)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %{{.*}} = call @layer(%{{.*}}) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8xf32>
// CHECK-LABEL: func.func private @layer
// CHECK-SAME: %{{.*}}: tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8xf32>
func.func private @layer(%operand: tensor<8xf32>) -> tensor<8xf32> {
  return %operand : tensor<8xf32>
}
func.func @main(%operand: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @layer(%operand) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
