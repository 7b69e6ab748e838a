// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @send(
// CHECK: types0 = !stablehlo.token
func.func @send(%inputs: tensor<3xf32>, %token: !stablehlo.token) {
  %0 = "stablehlo.send"(%inputs, %token) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}
      : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  %shown = "hlo_test_infer.get_return_types"(%0) : (!stablehlo.token) -> !stablehlo.token
  return
}
