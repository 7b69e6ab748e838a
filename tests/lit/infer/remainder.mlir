// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// A dimension that one side knows is known.
// CHECK-LABEL: func.func @remainder_dynamic(
// CHECK: types0 = tensor<3x5xi64>
func.func @remainder_dynamic(%lhs: tensor<?x5xi64>, %rhs: tensor<3x?xi64>) {
  %0 = stablehlo.remainder %lhs, %rhs : (tensor<?x5xi64>, tensor<3x?xi64>) -> tensor<?x?xi64>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi64>) -> tensor<?x?xi64>
  return
}

// -----

// Of two bounds the smaller one holds.
// CHECK-LABEL: func.func @remainder_bounded(
// CHECK: types0 = tensor<?xi64, #stablehlo.bounds<4>>
func.func @remainder_bounded(%lhs: tensor<?xi64, #stablehlo.bounds<7>>, %rhs: tensor<?xi64, #stablehlo.bounds<4>>) {
  %0 = stablehlo.remainder %lhs, %rhs
      : (tensor<?xi64, #stablehlo.bounds<7>>, tensor<?xi64, #stablehlo.bounds<4>>) -> tensor<?xi64>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xi64>) -> tensor<?xi64>
  return
}

// -----

// CHECK-LABEL: func.func @remainder_static_and_bounded(
// CHECK: types0 = tensor<6xi64>
func.func @remainder_static_and_bounded(%lhs: tensor<?xi64, #stablehlo.bounds<7>>, %rhs: tensor<6xi64>) {
  %0 = stablehlo.remainder %lhs, %rhs : (tensor<?xi64, #stablehlo.bounds<7>>, tensor<6xi64>) -> tensor<?xi64>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xi64>) -> tensor<?xi64>
  return
}
