// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @broadcast_select(
// CHECK: types0 = tensor<4x3xf32>
func.func @broadcast_select(%pred: tensor<3xi1>, %on_true: tensor<4x1xf32>, %on_false: tensor<f32>) {
  %0 = "chlo.broadcast_select"(%pred, %on_true, %on_false)
      : (tensor<3xi1>, tensor<4x1xf32>, tensor<f32>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @broadcast_select_reify(
// CHECK-SAME: %[[PRED:[a-z0-9]+]]: tensor<?xi1>, %[[ON_TRUE:[a-z0-9]+]]: tensor<?x1xf32>, %[[ON_FALSE:[a-z0-9]+]]: tensor<f32>)
// CHECK: %[[V0:.+]] = shape.shape_of %[[PRED]] : tensor<?xi1> -> tensor<1xindex>
// CHECK: %[[V1:.+]] = shape.shape_of %[[ON_TRUE]] : tensor<?x1xf32> -> tensor<2xindex>
// CHECK: %[[V2:.+]] = shape.shape_of %[[ON_FALSE]] : tensor<f32> -> tensor<0xindex>
// CHECK: %[[V3:.+]] = shape.broadcast %[[V0]], %[[V1]], %[[V2]] : tensor<1xindex>, tensor<2xindex>, tensor<0xindex> -> tensor<2xindex>
// CHECK: return %[[V3]] : tensor<2xindex>
func.func @broadcast_select_reify(%pred: tensor<?xi1>, %on_true: tensor<?x1xf32>, %on_false: tensor<f32>) -> tensor<2xindex> {
  %0 = "chlo.broadcast_select"(%pred, %on_true, %on_false)
      : (tensor<?xi1>, tensor<?x1xf32>, tensor<f32>) -> tensor<?x?xf32>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  return %extents : tensor<2xindex>
}
