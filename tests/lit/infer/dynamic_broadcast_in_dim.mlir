// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @dynamic_broadcast_in_dim_reify(
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<?xf32>, %[[OUTPUT_DIMENSIONS:[a-z0-9]+]]: tensor<2xi32>)
// CHECK: %[[V0:.+]] = arith.index_cast %[[OUTPUT_DIMENSIONS]] : tensor<2xi32> to tensor<2xindex>
// CHECK: return %[[V0]] : tensor<2xindex>
func.func @dynamic_broadcast_in_dim_reify(%operand: tensor<?xf32>, %output_dimensions: tensor<2xi32>) -> tensor<2xindex> {
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1]
      : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  return %extents : tensor<2xindex>
}
