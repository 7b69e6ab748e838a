// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @reduce_precision(
// CHECK: types0 = tensor<6xf64>
func.func @reduce_precision(%operand: tensor<6xf64>) {
  %0 = stablehlo.reduce_precision %operand, format = e5m10 : (tensor<6xf64>) -> tensor<?xf64>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf64>) -> tensor<?xf64>
  return
}
