// Turns shape computations into StableHLO ops.
// RUN: stablehlo-opt %s --shape-legalize-to-stablehlo | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(shape-legalize-to-stablehlo))' | FileCheck %s

// CHECK-LABEL: func.func @element_count
// CHECK: %{{.*}} = stablehlo.get_dimension_size %{{.*}}, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
// CHECK: %{{.*}} = stablehlo.get_dimension_size %{{.*}}, dim = 1 : (tensor<?x3xf32>) -> tensor<i32>
// CHECK: %{{.*}} = stablehlo.concatenate %{{.*}}, %{{.*}}, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
// CHECK: %{{.*}} = stablehlo.multiply %{{.*}}, %{{.*}} : tensor<i32>
// CHECK: %{{.*}} = stablehlo.multiply %{{.*}}, %{{.*}} : tensor<i32>
func.func @element_count(%operand: tensor<?x3xf32>) -> index {
  %shape = shape.shape_of %operand : tensor<?x3xf32> -> tensor<2xindex>
  %count = shape.num_elements %shape : tensor<2xindex> -> index
  return %count : index
}
