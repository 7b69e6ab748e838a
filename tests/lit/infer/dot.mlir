// REQUIRES: infers-components
// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @dot(
// CHECK: types0 = tensor<?x4xindex, #stablehlo.bounds<6, ?>>
func.func @dot(%lhs: tensor<?x3xf32, #stablehlo.bounds<6, ?>>, %rhs: tensor<3x4xf32>) {
  %0 = stablehlo.dot %lhs, %rhs : (tensor<?x3xf32, #stablehlo.bounds<6, ?>>, tensor<3x4xf32>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}
