// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @batch_norm_grad(
// CHECK: types0 = tensor<4x2xf32>, types1 = tensor<2xf32>, types2 = tensor<2xf32>
func.func @batch_norm_grad(%operand: tensor<4x2xf32>, %scale: tensor<2xf32>) {
  %0:3 = "stablehlo.batch_norm_grad"(%operand, %scale, %scale, %scale, %operand) {epsilon = 0.5 : f32, feature_index = 1 : i64}
      : (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<4x2xf32>)
      -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>)
  %shown = "hlo_test_infer.get_return_types"(%0#0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}
