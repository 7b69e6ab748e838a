// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @set_dimension_size(
// CHECK: types0 = tensor<4x?xf32, #stablehlo.bounds<?, 5>>
func.func @set_dimension_size(%operand: tensor<4x5xf32>, %size: tensor<i32>) {
  %0 = stablehlo.set_dimension_size %operand, %size, dim = 1 : (tensor<4x5xf32>, tensor<i32>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @set_dimension_size_constant(
// CHECK: types0 = tensor<4x?xf32, #stablehlo.bounds<?, 5>>
func.func @set_dimension_size_constant(%operand: tensor<4x5xf32>) {
  %size = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.set_dimension_size %operand, %size, dim = 1 : (tensor<4x5xf32>, tensor<i32>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}
