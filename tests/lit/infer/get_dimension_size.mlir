// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @get_dimension_size(
// CHECK: types0 = tensor<i32>
func.func @get_dimension_size(%operand: tensor<4x?xf32>) {
  %0 = stablehlo.get_dimension_size %operand, dim = 1 : (tensor<4x?xf32>) -> tensor<i32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<i32>) -> tensor<i32>
  return
}
