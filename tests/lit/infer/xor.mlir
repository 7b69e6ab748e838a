// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// A dimension that one side knows is known.
// CHECK-LABEL: func.func @xor_dynamic(
// CHECK: types0 = tensor<3x5xui8>
func.func @xor_dynamic(%lhs: tensor<?x5xui8>, %rhs: tensor<3x?xui8>) {
  %0 = stablehlo.xor %lhs, %rhs : (tensor<?x5xui8>, tensor<3x?xui8>) -> tensor<?x?xui8>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xui8>) -> tensor<?x?xui8>
  return
}

// -----

// Of two bounds the smaller one holds.
// CHECK-LABEL: func.func @xor_bounded(
// CHECK: types0 = tensor<?xui8, #stablehlo.bounds<4>>
func.func @xor_bounded(%lhs: tensor<?xui8, #stablehlo.bounds<7>>, %rhs: tensor<?xui8, #stablehlo.bounds<4>>) {
  %0 = stablehlo.xor %lhs, %rhs
      : (tensor<?xui8, #stablehlo.bounds<7>>, tensor<?xui8, #stablehlo.bounds<4>>) -> tensor<?xui8>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xui8>) -> tensor<?xui8>
  return
}

// -----

// CHECK-LABEL: func.func @xor_static_and_bounded(
// CHECK: types0 = tensor<6xui8>
func.func @xor_static_and_bounded(%lhs: tensor<?xui8, #stablehlo.bounds<7>>, %rhs: tensor<6xui8>) {
  %0 = stablehlo.xor %lhs, %rhs : (tensor<?xui8, #stablehlo.bounds<7>>, tensor<6xui8>) -> tensor<?xui8>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xui8>) -> tensor<?xui8>
  return
}
