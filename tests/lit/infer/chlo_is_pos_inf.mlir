// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @is_pos_inf(
// CHECK: types0 = tensor<?xi1, #stablehlo.bounds<4>>
func.func @is_pos_inf(%operand: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = chlo.is_pos_inf %operand : tensor<?xf32, #stablehlo.bounds<4>> -> tensor<?xi1>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xi1>) -> tensor<?xi1>
  return
}
