// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @outfeed(
// CHECK: types0 = !stablehlo.token
func.func @outfeed(%value: tensor<3xf32>, %token: !stablehlo.token) {
  %0 = "stablehlo.outfeed"(%value, %token) {outfeed_config = ""} : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  %shown = "hlo_test_infer.get_return_types"(%0) : (!stablehlo.token) -> !stablehlo.token
  return
}
