// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @while(
// CHECK: types0 = tensor<4xf32>
func.func @while(%values: tensor<4xf32>) {
  %0 = "stablehlo.while"(%values) ({
    ^bb0(%v: tensor<4xf32>):
      %more = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %more : tensor<i1>
  }, {
    ^bb0(%v: tensor<4xf32>):
      stablehlo.return %v : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}
