// Replaces deprecated ops by those that succeeded them.
// RUN: stablehlo-opt %s --stablehlo-legalize-deprecated-ops | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(stablehlo-legalize-deprecated-ops))' | FileCheck %s

// CHECK-LABEL: func.func @product
// CHECK-SAME: %{{.*}}: tensor<2x3xf32>, %{{.*}}: tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %{{.*}} : tensor<2x4xf32>
func.func @product(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %result = "stablehlo.dot"(%lhs, %rhs) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %result : tensor<2x4xf32>
}
