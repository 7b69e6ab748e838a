// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @map(
// CHECK: types0 = tensor<?x3xi1>
func.func @map(%inputs0: tensor<4x?xf32>, %inputs1: tensor<?x3xf32>) {
  %0 = "stablehlo.map"(%inputs0, %inputs1) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %equal = stablehlo.compare EQ, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %equal : tensor<i1>
  }) {dimensions = array<i64: 0, 1>} : (tensor<4x?xf32>, tensor<?x3xf32>) -> tensor<?x?xi1>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi1>) -> tensor<?x?xi1>
  return
}

// -----

// CHECK-LABEL: func.func @map_bounded(
// CHECK: types0 = tensor<?xf32>
func.func @map_bounded(%inputs: tensor<?xf32, #stablehlo.bounds<5>>) {
  %0 = "stablehlo.map"(%inputs) ({
    ^bb0(%a: tensor<f32>):
      stablehlo.return %a : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<?xf32, #stablehlo.bounds<5>>) -> tensor<?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @map_reify(
// CHECK-SAME: %[[INPUTS:[a-z0-9]+]]: tensor<?xf32>)
// CHECK: %[[V0:.+]] = shape.shape_of %[[INPUTS]] : tensor<?xf32> -> tensor<1xindex>
// CHECK: return %[[V0]] : tensor<1xindex>
func.func @map_reify(%inputs: tensor<?xf32>) -> tensor<1xindex> {
  %0 = "stablehlo.map"(%inputs) ({
    ^bb0(%a: tensor<f32>):
      stablehlo.return %a : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<?xf32>) -> tensor<?xf32>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?xf32>) -> tensor<1xindex>
  return %extents : tensor<1xindex>
}
