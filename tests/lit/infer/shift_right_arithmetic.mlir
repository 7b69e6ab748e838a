// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// A dimension that one side knows is known.
// CHECK-LABEL: func.func @shift_right_arithmetic_dynamic(
// CHECK: types0 = tensor<3x5xi16>
func.func @shift_right_arithmetic_dynamic(%lhs: tensor<?x5xi16>, %rhs: tensor<3x?xi16>) {
  %0 = stablehlo.shift_right_arithmetic %lhs, %rhs : (tensor<?x5xi16>, tensor<3x?xi16>) -> tensor<?x?xi16>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi16>) -> tensor<?x?xi16>
  return
}

// -----

// Of two bounds the smaller one holds.
// CHECK-LABEL: func.func @shift_right_arithmetic_bounded(
// CHECK: types0 = tensor<?xi16, #stablehlo.bounds<4>>
func.func @shift_right_arithmetic_bounded(%lhs: tensor<?xi16, #stablehlo.bounds<7>>, %rhs: tensor<?xi16, #stablehlo.bounds<4>>) {
  %0 = stablehlo.shift_right_arithmetic %lhs, %rhs
      : (tensor<?xi16, #stablehlo.bounds<7>>, tensor<?xi16, #stablehlo.bounds<4>>) -> tensor<?xi16>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xi16>) -> tensor<?xi16>
  return
}

// -----

// CHECK-LABEL: func.func @shift_right_arithmetic_static_and_bounded(
// CHECK: types0 = tensor<6xi16>
func.func @shift_right_arithmetic_static_and_bounded(%lhs: tensor<?xi16, #stablehlo.bounds<7>>, %rhs: tensor<6xi16>) {
  %0 = stablehlo.shift_right_arithmetic %lhs, %rhs
      : (tensor<?xi16, #stablehlo.bounds<7>>, tensor<6xi16>) -> tensor<?xi16>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xi16>) -> tensor<?xi16>
  return
}
