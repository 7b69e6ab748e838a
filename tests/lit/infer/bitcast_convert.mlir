// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @bitcast_convert_reify(
// CHECK-SAME: %[[OPERAND:[a-z0-9]+]]: tensor<?x3xf32>)
// CHECK: %[[V0:.+]] = shape.shape_of %[[OPERAND]] : tensor<?x3xf32> -> tensor<2xindex>
// CHECK: return %[[V0]] : tensor<2xindex>
func.func @bitcast_convert_reify(%operand: tensor<?x3xf32>) -> tensor<2xindex> {
  %0 = stablehlo.bitcast_convert %operand : (tensor<?x3xf32>) -> tensor<?x3xi32>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x3xi32>) -> tensor<2xindex>
  return %extents : tensor<2xindex>
}
