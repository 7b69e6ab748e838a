// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @dynamic_iota_reify(
// CHECK-SAME: %[[OUTPUT_SHAPE:[a-z0-9]+]]: tensor<2xi64>)
// CHECK: %[[V0:.+]] = arith.index_cast %[[OUTPUT_SHAPE]] : tensor<2xi64> to tensor<2xindex>
// CHECK: return %[[V0]] : tensor<2xindex>
func.func @dynamic_iota_reify(%output_shape: tensor<2xi64>) -> tensor<2xindex> {
  %0 = stablehlo.dynamic_iota %output_shape, dim = 0 : (tensor<2xi64>) -> tensor<?x?xf32>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  return %extents : tensor<2xindex>
}
