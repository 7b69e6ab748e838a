// Turns MHLO into StableHLO.
// REQUIRES: pass-hlo-legalize-to-stablehlo
// RUN: stablehlo-opt %s --hlo-legalize-to-stablehlo | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(hlo-legalize-to-stablehlo)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<f32>) -> tensor<f32>
// CHECK-NEXT: %{{.*}} = stablehlo.sine %{{.*}} : tensor<f32>
// CHECK-NEXT: return %{{.*}} : tensor<f32>
func.func @main(%operand: tensor<f32>) -> tensor<f32> {
  %0 = mhlo.sine %operand : tensor<f32>
  return %0 : tensor<f32>
}
