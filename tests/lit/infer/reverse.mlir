// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @reverse(
// CHECK: types0 = tensor<2x3xi16>
func.func @reverse(%operand: tensor<2x3xi16>) {
  %0 = "stablehlo.reverse"(%operand) {dimensions = array<i64: 1>} : (tensor<2x3xi16>) -> tensor<?x?xi16>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi16>) -> tensor<?x?xi16>
  return
}

// -----

// CHECK-LABEL: func.func @reverse_reify(
// CHECK-SAME: %[[OPERAND:[a-z0-9]+]]: tensor<?x3xi16>)
// CHECK: %[[V0:.+]] = shape.shape_of %[[OPERAND]] : tensor<?x3xi16> -> tensor<2xindex>
// CHECK: return %[[V0]] : tensor<2xindex>
func.func @reverse_reify(%operand: tensor<?x3xi16>) -> tensor<2xindex> {
  %0 = stablehlo.reverse %operand, dims = [0] : tensor<?x3xi16>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x3xi16>) -> tensor<2xindex>
  return %extents : tensor<2xindex>
}
