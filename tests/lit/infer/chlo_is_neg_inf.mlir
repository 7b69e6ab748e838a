// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @is_neg_inf(
// CHECK: types0 = tensor<4xi1>
func.func @is_neg_inf(%operand: tensor<4xf32>) {
  %0 = chlo.is_neg_inf %operand : tensor<4xf32> -> tensor<?xi1>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xi1>) -> tensor<?xi1>
  return
}
