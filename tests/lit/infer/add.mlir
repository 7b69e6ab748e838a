// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// A dimension that one side knows is known.
// CHECK-LABEL: func.func @add_dynamic(
// CHECK: types0 = tensor<3x5xf32>
func.func @add_dynamic(%lhs: tensor<?x5xf32>, %rhs: tensor<3x?xf32>) {
  %0 = stablehlo.add %lhs, %rhs : (tensor<?x5xf32>, tensor<3x?xf32>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// Of two bounds the smaller one holds.
// CHECK-LABEL: func.func @add_bounded(
// CHECK: types0 = tensor<?xf32, #stablehlo.bounds<4>>
func.func @add_bounded(%lhs: tensor<?xf32, #stablehlo.bounds<7>>, %rhs: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = stablehlo.add %lhs, %rhs
      : (tensor<?xf32, #stablehlo.bounds<7>>, tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @add_static_and_bounded(
// CHECK: types0 = tensor<6xf32>
func.func @add_static_and_bounded(%lhs: tensor<?xf32, #stablehlo.bounds<7>>, %rhs: tensor<6xf32>) {
  %0 = stablehlo.add %lhs, %rhs : (tensor<?xf32, #stablehlo.bounds<7>>, tensor<6xf32>) -> tensor<?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @add_reify(
// CHECK-SAME: %[[LHS:[a-z0-9]+]]: tensor<?x4xf32>, %{{[a-z0-9]+}}: tensor<?x?xf32>)
// CHECK: %[[V0:.+]] = shape.shape_of %[[LHS]] : tensor<?x4xf32> -> tensor<2xindex>
// CHECK: return %[[V0]] : tensor<2xindex>
func.func @add_reify(%lhs: tensor<?x4xf32>, %rhs: tensor<?x?xf32>) -> tensor<2xindex> {
  %0 = stablehlo.add %lhs, %rhs : (tensor<?x4xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %extents = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  return %extents : tensor<2xindex>
}
