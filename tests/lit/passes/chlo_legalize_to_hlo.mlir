// Expands CHLO ops into MHLO.
// REQUIRES: pass-chlo-legalize-to-hlo
// RUN: stablehlo-opt %s --chlo-legalize-to-hlo | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(chlo-legalize-to-hlo))' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<f32>) -> tensor<f32>
// CHECK-NEXT: %{{.*}} = mhlo.erf %{{.*}} : tensor<f32>
// CHECK-NEXT: return %{{.*}} : tensor<f32>
func.func @main(%operand: tensor<f32>) -> tensor<f32> {
  %0 = chlo.erf %operand : tensor<f32> -> tensor<f32>
  return %0 : tensor<f32>
}
