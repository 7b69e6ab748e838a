// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @batch_norm_training(
// CHECK: types0 = tensor<4x2xf32>, types1 = tensor<2xf32>, types2 = tensor<2xf32>
func.func @batch_norm_training(%operand: tensor<4x2xf32>, %scale: tensor<2xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%operand, %scale, %scale) {epsilon = 0.5 : f32, feature_index = 1 : i64}
      : (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>)
  %shown = "hlo_test_infer.get_return_types"(%0#0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @batch_norm_training_bounded(
// CHECK: types0 = tensor<4x?xf32, #stablehlo.bounds<?, 3>>, types1 = tensor<?xf32, #stablehlo.bounds<3>>, types2 = tensor<?xf32, #stablehlo.bounds<3>>
func.func @batch_norm_training_bounded(%operand: tensor<4x?xf32, #stablehlo.bounds<?, 3>>, %scale: tensor<?xf32, #stablehlo.bounds<3>>) {
  %0:3 = "stablehlo.batch_norm_training"(%operand, %scale, %scale) {epsilon = 0.5 : f32, feature_index = 1 : i64}
      : (tensor<4x?xf32, #stablehlo.bounds<?, 3>>, tensor<?xf32, #stablehlo.bounds<3>>, tensor<?xf32, #stablehlo.bounds<3>>)
      -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>)
  %shown = "hlo_test_infer.get_return_types"(%0#0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}
