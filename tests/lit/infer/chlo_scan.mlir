// REQUIRES: op-chlo.scan
// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @scan(
// CHECK: types0 = tensor<4x6xf32>, types1 = tensor<6xf32>
func.func @scan(%inputs: tensor<4x6xf32>, %inits: tensor<6xf32>) {
  %0:2 = "chlo.scan"(%inputs, %inits) ({
    ^bb0(%input: tensor<6xf32>, %carry: tensor<6xf32>):
      %sum = stablehlo.add %input, %carry : tensor<6xf32>
      stablehlo.return %sum, %sum : tensor<6xf32>, tensor<6xf32>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<4x6xf32>, tensor<6xf32>) -> (tensor<?x6xf32>, tensor<?xf32>)
  %shown = "hlo_test_infer.get_return_types"(%0#0) : (tensor<?x6xf32>) -> tensor<?x6xf32>
  return
}
