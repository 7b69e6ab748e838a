// Turns StableHLO into MHLO.
// REQUIRES: pass-stablehlo-legalize-to-hlo
// RUN: stablehlo-opt %s --stablehlo-legalize-to-hlo | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(stablehlo-legalize-to-hlo)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<f32>) -> tensor<f32>
// CHECK-NEXT: %{{.*}} = mhlo.sine %{{.*}} : tensor<f32>
// CHECK-NEXT: return %{{.*}} : tensor<f32>
func.func @main(%operand: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.sine %operand : tensor<f32>
  return %0 : tensor<f32>
}
