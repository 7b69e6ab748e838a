// Wraps ops into composites whose decomposition is the op.
// RUN: stablehlo-opt %s --stablehlo-wrap-in-composite='op-names=stablehlo.tanh version=2' | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(stablehlo-wrap-in-composite{op-names=stablehlo.tanh version=2})' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<f32>) -> tensor<f32>
// CHECK-NEXT: %{{.*}} = stablehlo.composite "stablehlo.tanh" %{{.*}} {decomposition = @stablehlo.tanh.impl, version = 2 : i32} : (tensor<f32>) -> tensor<f32>
// CHECK-NEXT: %{{.*}} = stablehlo.negate %{{.*}} : tensor<f32>
// CHECK-NEXT: return %{{.*}} : tensor<f32>
// CHECK-LABEL: func.func private @stablehlo.tanh.impl
// CHECK-SAME: %{{.*}}: tensor<f32>) -> tensor<f32>
// CHECK-NEXT: %{{.*}} = stablehlo.tanh %{{.*}} : tensor<f32>
// CHECK-NEXT: return %{{.*}} : tensor<f32>
func.func @main(%operand: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.tanh %operand : tensor<f32>
  %1 = stablehlo.negate %0 : tensor<f32>
  return %1 : tensor<f32>
}
