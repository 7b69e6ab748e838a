// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// A dimension that one side knows is known.
// CHECK-LABEL: func.func @shift_right_logical_dynamic(
// CHECK: types0 = tensor<3x5xui32>
func.func @shift_right_logical_dynamic(%lhs: tensor<?x5xui32>, %rhs: tensor<3x?xui32>) {
  %0 = stablehlo.shift_right_logical %lhs, %rhs : (tensor<?x5xui32>, tensor<3x?xui32>) -> tensor<?x?xui32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xui32>) -> tensor<?x?xui32>
  return
}

// -----

// Of two bounds the smaller one holds.
// CHECK-LABEL: func.func @shift_right_logical_bounded(
// CHECK: types0 = tensor<?xui32, #stablehlo.bounds<4>>
func.func @shift_right_logical_bounded(%lhs: tensor<?xui32, #stablehlo.bounds<7>>, %rhs: tensor<?xui32, #stablehlo.bounds<4>>) {
  %0 = stablehlo.shift_right_logical %lhs, %rhs
      : (tensor<?xui32, #stablehlo.bounds<7>>, tensor<?xui32, #stablehlo.bounds<4>>) -> tensor<?xui32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xui32>) -> tensor<?xui32>
  return
}

// -----

// CHECK-LABEL: func.func @shift_right_logical_static_and_bounded(
// CHECK: types0 = tensor<6xui32>
func.func @shift_right_logical_static_and_bounded(%lhs: tensor<?xui32, #stablehlo.bounds<7>>, %rhs: tensor<6xui32>) {
  %0 = stablehlo.shift_right_logical %lhs, %rhs
      : (tensor<?xui32, #stablehlo.bounds<7>>, tensor<6xui32>) -> tensor<?xui32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xui32>) -> tensor<?xui32>
  return
}
