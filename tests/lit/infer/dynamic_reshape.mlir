// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @dynamic_reshape_reify(
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<?xf32>, %[[OUTPUT_SHAPE:[a-z0-9]+]]: tensor<2xindex>)
// CHECK: return %[[OUTPUT_SHAPE]] : tensor<2xindex>
func.func @dynamic_reshape_reify(%operand: tensor<?xf32>, %output_shape: tensor<2xindex>) -> tensor<2xindex> {
  %0 = stablehlo.dynamic_reshape %operand, %output_shape : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  return %extents : tensor<2xindex>
}
