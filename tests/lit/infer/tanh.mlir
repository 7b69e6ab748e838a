// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @tanh(
// CHECK: types0 = tensor<10xf32>
func.func @tanh(%operand: tensor<10xf32>) {
  %0 = stablehlo.tanh %operand : (tensor<10xf32>) -> tensor<?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @tanh_bounded(
// CHECK: types0 = tensor<2x?xf32, #stablehlo.bounds<?, 6>>
func.func @tanh_bounded(%operand: tensor<2x?xf32, #stablehlo.bounds<?, 6>>) {
  %0 = stablehlo.tanh %operand : (tensor<2x?xf32, #stablehlo.bounds<?, 6>>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @tanh_reify(
// CHECK-SAME: %[[OPERAND:[a-z0-9]+]]: tensor<?x4xf32>)
// CHECK: %[[V0:.+]] = shape.shape_of %[[OPERAND]] : tensor<?x4xf32> -> tensor<2xindex>
// CHECK: return %[[V0]] : tensor<2xindex>
func.func @tanh_reify(%operand: tensor<?x4xf32>) -> tensor<2xindex> {
  %0 = stablehlo.tanh %operand : tensor<?x4xf32>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x4xf32>) -> tensor<2xindex>
  return %extents : tensor<2xindex>
}
