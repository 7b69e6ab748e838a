// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// A dimension that one side knows is known.
// CHECK-LABEL: func.func @multiply_dynamic(
// CHECK: types0 = tensor<3x5xf64>
func.func @multiply_dynamic(%lhs: tensor<?x5xf64>, %rhs: tensor<3x?xf64>) {
  %0 = stablehlo.multiply %lhs, %rhs : (tensor<?x5xf64>, tensor<3x?xf64>) -> tensor<?x?xf64>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return
}

// -----

// Of two bounds the smaller one holds.
// CHECK-LABEL: func.func @multiply_bounded(
// CHECK: types0 = tensor<?xf64, #stablehlo.bounds<4>>
func.func @multiply_bounded(%lhs: tensor<?xf64, #stablehlo.bounds<7>>, %rhs: tensor<?xf64, #stablehlo.bounds<4>>) {
  %0 = stablehlo.multiply %lhs, %rhs
      : (tensor<?xf64, #stablehlo.bounds<7>>, tensor<?xf64, #stablehlo.bounds<4>>) -> tensor<?xf64>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

// CHECK-LABEL: func.func @multiply_static_and_bounded(
// CHECK: types0 = tensor<6xf64>
func.func @multiply_static_and_bounded(%lhs: tensor<?xf64, #stablehlo.bounds<7>>, %rhs: tensor<6xf64>) {
  %0 = stablehlo.multiply %lhs, %rhs : (tensor<?xf64, #stablehlo.bounds<7>>, tensor<6xf64>) -> tensor<?xf64>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf64>) -> tensor<?xf64>
  return
}
