// Runs a pipeline until it changes nothing.
// RUN: stablehlo-opt %s --composite-fixed-point-pass='name=Tidy pipeline=any(cse,canonicalize)' | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(composite-fixed-point-pass{name=Tidy pipeline=any(cse,canonicalize)})' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<f32>) -> tensor<f32>
// CHECK-NEXT: %{{.*}} = stablehlo.abs %{{.*}} : tensor<f32>
// CHECK-NEXT: %{{.*}} = stablehlo.add %{{.*}}, %{{.*}} : tensor<f32>
// CHECK-NEXT: return %{{.*}} : tensor<f32>
func.func @main(%operand: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.abs %operand : tensor<f32>
  %1 = stablehlo.abs %operand : tensor<f32>
  %2 = stablehlo.add %0, %1 : tensor<f32>
  return %2 : tensor<f32>
}
