// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @rng(
// CHECK: types0 = tensor<2x3xf32>
func.func @rng(%a: tensor<f32>, %b: tensor<f32>) {
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM
      : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @rng_dynamic(
// CHECK: types0 = tensor<?x?xf32>
func.func @rng_dynamic(%a: tensor<f32>, %b: tensor<f32>, %shape: tensor<2xi64>) {
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM
      : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @rng_reify(
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<f32>, %{{[a-z0-9]+}}: tensor<f32>, %[[SHAPE:[a-z0-9]+]]: tensor<2xi64>)
// CHECK: %[[V1:.+]] = arith.index_cast %[[SHAPE]] : tensor<2xi64> to tensor<2xindex>
// CHECK: return %[[V1]] : tensor<2xindex>
func.func @rng_reify(%a: tensor<f32>, %b: tensor<f32>, %shape: tensor<2xi64>) -> tensor<2xindex> {
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM
      : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  return %extents : tensor<2xindex>
}
