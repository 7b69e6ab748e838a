// Replaces tuples among operands and results by their elements.
// REQUIRES: pass-mhlo-flatten-tuple
// RUN: stablehlo-opt %s --mhlo-flatten-tuple | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(mhlo-flatten-tuple))' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<f32>, %{{.*}}: !mhlo.token) -> tensor<f32>
// CHECK-NEXT: %{{.*}} = mhlo.custom_call @pair(%{{.*}}) : (tensor<f32>) -> (tensor<f32>, tensor<i32>)
// CHECK-NEXT: return %{{.*}} : tensor<f32>
func.func @main(%operand: tensor<f32>, %token: !mhlo.token) -> tensor<f32> {
  %0 = mhlo.custom_call @pair(%operand) : (tensor<f32>) -> tuple<tensor<f32>, tensor<i32>>
  %1 = mhlo.get_tuple_element %0[0] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<f32>
  return %1 : tensor<f32>
}
