// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @select(
// CHECK: types0 = tensor<4x3xf32>
func.func @select(%pred: tensor<i1>, %on_true: tensor<4x?xf32>, %on_false: tensor<?x3xf32>) {
  %0 = stablehlo.select %pred, %on_true, %on_false : (tensor<i1>, tensor<4x?xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @select_bounded(
// CHECK: types0 = tensor<?xf32, #stablehlo.bounds<5>>
func.func @select_bounded(%pred: tensor<i1>, %on_true: tensor<?xf32, #stablehlo.bounds<5>>, %on_false: tensor<?xf32>) {
  %0 = stablehlo.select %pred, %on_true, %on_false
      : (tensor<i1>, tensor<?xf32, #stablehlo.bounds<5>>, tensor<?xf32>) -> tensor<?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @select_reify(
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<i1>, %[[ON_TRUE:[a-z0-9]+]]: tensor<?xf32>, %{{[a-z0-9]+}}: tensor<?xf32>)
// CHECK: %[[V0:.+]] = shape.shape_of %[[ON_TRUE]] : tensor<?xf32> -> tensor<1xindex>
// CHECK: return %[[V0]] : tensor<1xindex>
func.func @select_reify(%pred: tensor<i1>, %on_true: tensor<?xf32>, %on_false: tensor<?xf32>) -> tensor<1xindex> {
  %0 = stablehlo.select %pred, %on_true, %on_false : tensor<i1>, tensor<?xf32>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?xf32>) -> tensor<1xindex>
  return %extents : tensor<1xindex>
}
