// Replaces calls by the bodies of the functions called.
// RUN: stablehlo-opt %s --inline | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(inline)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<f32>) -> tensor<f32>
// CHECK-NEXT: %{{.*}} = stablehlo.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: %{{.*}} = stablehlo.divide %{{.*}}, %{{.*}} : tensor<f32>
// CHECK-NEXT: return %{{.*}} : tensor<f32>
func.func @main(%operand: tensor<f32>) -> tensor<f32> {
  %0 = call @halved(%operand) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @halved(%operand: tensor<f32>) -> tensor<f32> {
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.divide %operand, %two : tensor<f32>
  return %0 : tensor<f32>
}
