// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @constant(
// CHECK: types0 = tensor<1x3xi8>
func.func @constant() {
  %0 = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi8>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<1x3xi8>) -> tensor<1x3xi8>
  return
}
