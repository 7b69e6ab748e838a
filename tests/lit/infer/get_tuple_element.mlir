// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @get_tuple_element(
// CHECK: types0 = tensor<i1>
func.func @get_tuple_element(%operand: tuple<tensor<2xf32>, tensor<i1>>) {
  %0 = stablehlo.get_tuple_element %operand[1] : (tuple<tensor<2xf32>, tensor<i1>>) -> tensor<i1>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<i1>) -> tensor<i1>
  return
}
