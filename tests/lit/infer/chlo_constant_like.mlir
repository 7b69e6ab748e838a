// REQUIRES: infers-bounds
// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @constant_like(
// CHECK: types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>
func.func @constant_like(%operand: tensor<2x?xi64, #stablehlo.bounds<?, 5>>) {
  %0 = "chlo.constant_like"(%operand) {value = 0.5 : f32}
      : (tensor<2x?xi64, #stablehlo.bounds<?, 5>>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @constant_like_reify(
// CHECK-SAME: %[[OPERAND:[a-z0-9]+]]: tensor<?xi64>)
// CHECK: %[[V0:.+]] = shape.shape_of %[[OPERAND]] : tensor<?xi64> -> tensor<1xindex>
// CHECK: return %[[V0]] : tensor<1xindex>
func.func @constant_like_reify(%operand: tensor<?xi64>) -> tensor<1xindex> {
  %0 = "chlo.constant_like"(%operand) {value = 0.5 : f32} : (tensor<?xi64>) -> tensor<?xf32>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?xf32>) -> tensor<1xindex>
  return %extents : tensor<1xindex>
}
