// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @top_k(
// CHECK: types0 = tensor<3x4xf32>, types1 = tensor<3x4xi32>
func.func @top_k(%operand: tensor<3x9xf32>) {
  %0:2 = chlo.top_k(%operand, k = 4) : tensor<3x9xf32> -> (tensor<?x?xf32>, tensor<?x?xi32>)
  %shown = "hlo_test_infer.get_return_types"(%0#0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}
