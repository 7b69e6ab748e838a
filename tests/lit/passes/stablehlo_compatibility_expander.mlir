// Expands ops that the target version does not have into older ones.
// RUN: stablehlo-opt %s --stablehlo-compatibility-expander=target=1.0.0 | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(stablehlo-compatibility-expander{target=1.0.0})' | FileCheck %s

// CHECK-LABEL: func.func @tangent
// CHECK-SAME: %{{.*}}: tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.sine %{{.*}} : tensor<2xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.cosine %{{.*}} : tensor<2xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.divide %{{.*}}, %{{.*}} : tensor<2xf32>
// CHECK-NEXT: return %{{.*}} : tensor<2xf32>
func.func @tangent(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %result = stablehlo.tan %operand : tensor<2xf32>
  return %result : tensor<2xf32>
}
