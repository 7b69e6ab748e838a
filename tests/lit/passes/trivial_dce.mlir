// Removes ops without effects whose results are unused.
// REQUIRES: pass-trivial-dce
// RUN: stablehlo-opt %s --trivial-dce | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(trivial-dce)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<f32>) -> tensor<f32>
// CHECK-NEXT: return %{{.*}} : tensor<f32>
func.func @main(%operand: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.sine %operand : tensor<f32>
  %1 = stablehlo.sine %0 : tensor<f32>
  return %operand : tensor<f32>
}
