// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// A dimension that one side knows is known.
// CHECK-LABEL: func.func @or_dynamic(
// CHECK: types0 = tensor<3x5xi8>
func.func @or_dynamic(%lhs: tensor<?x5xi8>, %rhs: tensor<3x?xi8>) {
  %0 = stablehlo.or %lhs, %rhs : (tensor<?x5xi8>, tensor<3x?xi8>) -> tensor<?x?xi8>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi8>) -> tensor<?x?xi8>
  return
}

// -----

// Of two bounds the smaller one holds.
// CHECK-LABEL: func.func @or_bounded(
// CHECK: types0 = tensor<?xi8, #stablehlo.bounds<4>>
func.func @or_bounded(%lhs: tensor<?xi8, #stablehlo.bounds<7>>, %rhs: tensor<?xi8, #stablehlo.bounds<4>>) {
  %0 = stablehlo.or %lhs, %rhs
      : (tensor<?xi8, #stablehlo.bounds<7>>, tensor<?xi8, #stablehlo.bounds<4>>) -> tensor<?xi8>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xi8>) -> tensor<?xi8>
  return
}

// -----

// CHECK-LABEL: func.func @or_static_and_bounded(
// CHECK: types0 = tensor<6xi8>
func.func @or_static_and_bounded(%lhs: tensor<?xi8, #stablehlo.bounds<7>>, %rhs: tensor<6xi8>) {
  %0 = stablehlo.or %lhs, %rhs : (tensor<?xi8, #stablehlo.bounds<7>>, tensor<6xi8>) -> tensor<?xi8>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xi8>) -> tensor<?xi8>
  return
}
