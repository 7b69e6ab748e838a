// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// A dimension that one side knows is known.
// CHECK-LABEL: func.func @shift_left_dynamic(
// CHECK: types0 = tensor<3x5xi32>
func.func @shift_left_dynamic(%lhs: tensor<?x5xi32>, %rhs: tensor<3x?xi32>) {
  %0 = stablehlo.shift_left %lhs, %rhs : (tensor<?x5xi32>, tensor<3x?xi32>) -> tensor<?x?xi32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi32>) -> tensor<?x?xi32>
  return
}

// -----

// Of two bounds the smaller one holds.
// CHECK-LABEL: func.func @shift_left_bounded(
// CHECK: types0 = tensor<?xi32, #stablehlo.bounds<4>>
func.func @shift_left_bounded(%lhs: tensor<?xi32, #stablehlo.bounds<7>>, %rhs: tensor<?xi32, #stablehlo.bounds<4>>) {
  %0 = stablehlo.shift_left %lhs, %rhs
      : (tensor<?xi32, #stablehlo.bounds<7>>, tensor<?xi32, #stablehlo.bounds<4>>) -> tensor<?xi32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xi32>) -> tensor<?xi32>
  return
}

// -----

// CHECK-LABEL: func.func @shift_left_static_and_bounded(
// CHECK: types0 = tensor<6xi32>
func.func @shift_left_static_and_bounded(%lhs: tensor<?xi32, #stablehlo.bounds<7>>, %rhs: tensor<6xi32>) {
  %0 = stablehlo.shift_left %lhs, %rhs : (tensor<?xi32, #stablehlo.bounds<7>>, tensor<6xi32>) -> tensor<?xi32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xi32>) -> tensor<?xi32>
  return
}
