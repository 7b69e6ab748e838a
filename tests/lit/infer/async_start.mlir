// REQUIRES: stablehlo-1.15
// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @async_start(
// CHECK: types0 = !stablehlo.future<tensor<2xf32>>
func.func @async_start(%operand: tensor<4xf32>) {
  %0 = "stablehlo.async_start"(%operand) ({
    ^bb0(%x: tensor<4xf32>):
      %part = stablehlo.slice %x [1:3] : (tensor<4xf32>) -> tensor<2xf32>
      stablehlo.return %part : tensor<2xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>
  %shown = "hlo_test_infer.get_return_types"(%0)
      : (!stablehlo.future<tensor<2xf32>>) -> !stablehlo.future<tensor<2xf32>>
  return
}
