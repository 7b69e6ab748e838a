// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @clamp(
// CHECK: types0 = tensor<2x3xf32>
func.func @clamp(%min: tensor<f32>, %operand: tensor<2x3xf32>, %max: tensor<f32>) {
  %0 = stablehlo.clamp %min, %operand, %max : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @clamp_bounded(
// CHECK: types0 = tensor<?xf32>
func.func @clamp_bounded(%min: tensor<f32>, %operand: tensor<?xf32, #stablehlo.bounds<4>>, %max: tensor<3xf32>) {
  %0 = stablehlo.clamp %min, %operand, %max
      : (tensor<f32>, tensor<?xf32, #stablehlo.bounds<4>>, tensor<3xf32>) -> tensor<?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @clamp_reify(
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<f32>, %[[OPERAND:[a-z0-9]+]]: tensor<?xf32>, %{{[a-z0-9]+}}: tensor<f32>)
// CHECK: %[[V0:.+]] = shape.shape_of %[[OPERAND]] : tensor<?xf32> -> tensor<1xindex>
// CHECK: return %[[V0]] : tensor<1xindex>
func.func @clamp_reify(%min: tensor<f32>, %operand: tensor<?xf32>, %max: tensor<f32>) -> tensor<1xindex> {
  %0 = stablehlo.clamp %min, %operand, %max : (tensor<f32>, tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?xf32>) -> tensor<1xindex>
  return %extents : tensor<1xindex>
}
