// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @batch_norm_inference(
// CHECK: types0 = tensor<2x3xf32>
func.func @batch_norm_inference(%operand: tensor<2x3xf32>, %scale: tensor<3xf32>) {
  %0 = "stablehlo.batch_norm_inference"(%operand, %scale, %scale, %scale, %scale) {epsilon = 0.125 : f32, feature_index = 1 : i64}
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}
