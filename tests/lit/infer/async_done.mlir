// REQUIRES: stablehlo-1.15
// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @async_done(
// CHECK: types0 = tensor<4xf32>
func.func @async_done(%future: !stablehlo.future<tensor<4xf32>>) {
  %0 = "stablehlo.async_done"(%future) : (!stablehlo.future<tensor<4xf32>>) -> tensor<?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}
