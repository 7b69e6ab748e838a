// Replaces tuples among a function's arguments and results by their elements.
// REQUIRES: expands-tuples-of-functions
// RUN: stablehlo-opt %s --expand-hlo-tuples | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(expand-hlo-tuples)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<f32>, %{{.*}}: tensor<i32>) -> tensor<f32>
// CHECK-NEXT: %{{.*}} = mhlo.tuple %{{.*}}, %{{.*}} : tuple<tensor<f32>, tensor<i32>>
// CHECK-NEXT: %{{.*}} = mhlo.get_tuple_element %{{.*}}[0] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<f32>
// CHECK-NEXT: return %{{.*}} : tensor<f32>
func.func @main(%operand: tuple<tensor<f32>, tensor<i32>>) -> tensor<f32> {
  %0 = mhlo.get_tuple_element %operand[0] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<f32>
  return %0 : tensor<f32>
}
