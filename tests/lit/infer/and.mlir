// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// A dimension that one side knows is known.
// CHECK-LABEL: func.func @and_dynamic(
// CHECK: types0 = tensor<3x5xi1>
func.func @and_dynamic(%lhs: tensor<?x5xi1>, %rhs: tensor<3x?xi1>) {
  %0 = stablehlo.and %lhs, %rhs : (tensor<?x5xi1>, tensor<3x?xi1>) -> tensor<?x?xi1>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi1>) -> tensor<?x?xi1>
  return
}

// -----

// Of two bounds the smaller one holds.
// CHECK-LABEL: func.func @and_bounded(
// CHECK: types0 = tensor<?xi1, #stablehlo.bounds<4>>
func.func @and_bounded(%lhs: tensor<?xi1, #stablehlo.bounds<7>>, %rhs: tensor<?xi1, #stablehlo.bounds<4>>) {
  %0 = stablehlo.and %lhs, %rhs
      : (tensor<?xi1, #stablehlo.bounds<7>>, tensor<?xi1, #stablehlo.bounds<4>>) -> tensor<?xi1>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xi1>) -> tensor<?xi1>
  return
}

// -----

// CHECK-LABEL: func.func @and_static_and_bounded(
// CHECK: types0 = tensor<6xi1>
func.func @and_static_and_bounded(%lhs: tensor<?xi1, #stablehlo.bounds<7>>, %rhs: tensor<6xi1>) {
  %0 = stablehlo.and %lhs, %rhs : (tensor<?xi1, #stablehlo.bounds<7>>, tensor<6xi1>) -> tensor<?xi1>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xi1>) -> tensor<?xi1>
  return
}
