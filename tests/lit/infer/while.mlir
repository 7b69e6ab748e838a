// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// A loop with a result of another type is printed in generic form, which can be read again.
// CHECK: sym_name = "while"
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
