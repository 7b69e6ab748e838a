// Replaces ops that compute the same by the first of them.
// RUN: stablehlo-opt %s --cse | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(cse)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<f32>) -> (tensor<f32>, tensor<f32>)
// CHECK-NEXT: %{{.*}} = stablehlo.cosine %{{.*}} : tensor<f32>
// CHECK-NEXT: return %{{.*}}, %{{.*}} : tensor<f32>, tensor<f32>
func.func @main(%operand: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.cosine %operand : tensor<f32>
  %1 = stablehlo.cosine %operand : tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
