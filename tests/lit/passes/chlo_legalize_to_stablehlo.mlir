// Expands CHLO ops into StableHLO and shape ops.
// REQUIRES: expands-static-broadcasts
// RUN: stablehlo-opt %s --chlo-legalize-to-stablehlo | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(chlo-legalize-to-stablehlo))' | FileCheck %s

// CHECK-LABEL: func.func @squared_distance
// CHECK-SAME: %{{.*}}: tensor<3xf32>, %{{.*}}: tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.broadcast_in_dim %{{.*}}, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.subtract %{{.*}}, %{{.*}} : tensor<2x3xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.multiply %{{.*}}, %{{.*}} : tensor<2x3xf32>
// CHECK-NEXT: return %{{.*}} : tensor<2x3xf32>
func.func @squared_distance(%lhs: tensor<3xf32>, %rhs: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %difference = chlo.broadcast_subtract %lhs, %rhs : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %result = chlo.square %difference : tensor<2x3xf32> -> tensor<2x3xf32>
  return %result : tensor<2x3xf32>
}
