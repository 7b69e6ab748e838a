// REQUIRES: infers-bounds
// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @compare(
// CHECK: types0 = tensor<2x3xi1>
func.func @compare(%lhs: tensor<2x3xi32>, %rhs: tensor<2x3xi32>) {
  %0 = stablehlo.compare LT, %lhs, %rhs : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<?x?xi1>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi1>) -> tensor<?x?xi1>
  return
}

// -----

// CHECK-LABEL: func.func @compare_bounded(
// CHECK: types0 = tensor<?xi1, #stablehlo.bounds<6>>
func.func @compare_bounded(%lhs: tensor<?xi32, #stablehlo.bounds<6>>, %rhs: tensor<?xi32, #stablehlo.bounds<6>>) {
  %0 = stablehlo.compare LT, %lhs, %rhs
      : (tensor<?xi32, #stablehlo.bounds<6>>, tensor<?xi32, #stablehlo.bounds<6>>) -> tensor<?xi1>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xi1>) -> tensor<?xi1>
  return
}

// -----

// CHECK-LABEL: func.func @compare_reify(
// CHECK-SAME: %[[LHS:[a-z0-9]+]]: tensor<?x3xi32>, %{{[a-z0-9]+}}: tensor<?x?xi32>)
// CHECK: %[[V0:.+]] = shape.shape_of %[[LHS]] : tensor<?x3xi32> -> tensor<2xindex>
// CHECK: return %[[V0]] : tensor<2xindex>
func.func @compare_reify(%lhs: tensor<?x3xi32>, %rhs: tensor<?x?xi32>) -> tensor<2xindex> {
  %0 = stablehlo.compare LT, %lhs, %rhs : (tensor<?x3xi32>, tensor<?x?xi32>) -> tensor<?x3xi1>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x3xi1>) -> tensor<2xindex>
  return %extents : tensor<2xindex>
}
