// Tests the type inference of MHLO ops.
// REQUIRES: pass-mhlo-test-infer-shaped-type-methods
// RUN: stablehlo-opt %s --mhlo-test-infer-shaped-type-methods --allow-unregistered-dialect | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(mhlo-test-infer-shaped-type-methods))' --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: func.func @shape_of_abs
// CHECK-NEXT: shape.shape_of %{{.*}} : tensor<?xf32> -> tensor<1xindex>
func.func @shape_of_abs(%operand: tensor<?xf32>) -> tensor<1xindex> {
  %0 = mhlo.abs %operand : tensor<?xf32>
  %1 = "mhlo_test.reify_return_type_shapes"(%0) : (tensor<?xf32>) -> tensor<1xindex>
  return %1 : tensor<1xindex>
}
