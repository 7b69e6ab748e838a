// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// A dimension that one side knows is known.
// CHECK-LABEL: func.func @minimum_dynamic(
// CHECK: types0 = tensor<3x5xf16>
func.func @minimum_dynamic(%lhs: tensor<?x5xf16>, %rhs: tensor<3x?xf16>) {
  %0 = stablehlo.minimum %lhs, %rhs : (tensor<?x5xf16>, tensor<3x?xf16>) -> tensor<?x?xf16>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf16>) -> tensor<?x?xf16>
  return
}

// -----

// Of two bounds the smaller one holds.
// CHECK-LABEL: func.func @minimum_bounded(
// CHECK: types0 = tensor<?xf16, #stablehlo.bounds<4>>
func.func @minimum_bounded(%lhs: tensor<?xf16, #stablehlo.bounds<7>>, %rhs: tensor<?xf16, #stablehlo.bounds<4>>) {
  %0 = stablehlo.minimum %lhs, %rhs
      : (tensor<?xf16, #stablehlo.bounds<7>>, tensor<?xf16, #stablehlo.bounds<4>>) -> tensor<?xf16>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf16>) -> tensor<?xf16>
  return
}

// -----

// CHECK-LABEL: func.func @minimum_static_and_bounded(
// CHECK: types0 = tensor<6xf16>
func.func @minimum_static_and_bounded(%lhs: tensor<?xf16, #stablehlo.bounds<7>>, %rhs: tensor<6xf16>) {
  %0 = stablehlo.minimum %lhs, %rhs : (tensor<?xf16, #stablehlo.bounds<7>>, tensor<6xf16>) -> tensor<?xf16>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf16>) -> tensor<?xf16>
  return
}
