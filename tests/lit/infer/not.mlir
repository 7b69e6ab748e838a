// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @not(
// CHECK: types0 = tensor<2x7xi1>
func.func @not(%operand: tensor<2x7xi1>) {
  %0 = stablehlo.not %operand : (tensor<2x7xi1>) -> tensor<?x?xi1>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi1>) -> tensor<?x?xi1>
  return
}

// -----

// CHECK-LABEL: func.func @not_bounded(
// CHECK: types0 = tensor<2x?xi1, #stablehlo.bounds<?, 6>>
func.func @not_bounded(%operand: tensor<2x?xi1, #stablehlo.bounds<?, 6>>) {
  %0 = stablehlo.not %operand : (tensor<2x?xi1, #stablehlo.bounds<?, 6>>) -> tensor<?x?xi1>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi1>) -> tensor<?x?xi1>
  return
}

// -----

// CHECK-LABEL: func.func @not_reify(
// CHECK-SAME: %[[OPERAND:[a-z0-9]+]]: tensor<?x4xi1>)
// CHECK: %[[V0:.+]] = shape.shape_of %[[OPERAND]] : tensor<?x4xi1> -> tensor<2xindex>
// CHECK: return %[[V0]] : tensor<2xindex>
func.func @not_reify(%operand: tensor<?x4xi1>) -> tensor<2xindex> {
  %0 = stablehlo.not %operand : tensor<?x4xi1>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x4xi1>) -> tensor<2xindex>
  return %extents : tensor<2xindex>
}
