// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @polygamma(
// CHECK: types0 = tensor<3x4xf32>
func.func @polygamma(%n: tensor<3x?xf32>, %x: tensor<?x4xf32>) {
  %0 = "chlo.polygamma"(%n, %x) : (tensor<3x?xf32>, tensor<?x4xf32>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}
