// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @optimization_barrier(
// CHECK: types0 = tensor<2xf32>, types1 = tensor<?xi8, #stablehlo.bounds<3>>
func.func @optimization_barrier(%operand0: tensor<2xf32>, %operand1: tensor<?xi8, #stablehlo.bounds<3>>) {
  %0:2 = "stablehlo.optimization_barrier"(%operand0, %operand1)
      : (tensor<2xf32>, tensor<?xi8, #stablehlo.bounds<3>>) -> (tensor<2xf32>, tensor<?xi8, #stablehlo.bounds<3>>)
  %shown = "hlo_test_infer.get_return_types"(%0#0) : (tensor<2xf32>) -> tensor<2xf32>
  return
}
