// Writes mhlo.einsum as mhlo.dot_general.
// REQUIRES: pass-mhlo-legalize-einsum-to-dot-general
// RUN: stablehlo-opt %s --mhlo-legalize-einsum-to-dot-general | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(mhlo-legalize-einsum-to-dot-general))' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<2x3xf32>, %{{.*}}: tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %{{.*}} = "mhlo.dot_general"(%{{.*}}, %{{.*}}) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %{{.*}} : tensor<2x4xf32>
func.func @main(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = "mhlo.einsum"(%lhs, %rhs) {einsum_config = "ij,jk->ik"} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
