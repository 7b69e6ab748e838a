// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// A dimension that one side knows is known.
// CHECK-LABEL: func.func @atan2_dynamic(
// CHECK: types0 = tensor<3x5xf32>
func.func @atan2_dynamic(%lhs: tensor<?x5xf32>, %rhs: tensor<3x?xf32>) {
  %0 = stablehlo.atan2 %lhs, %rhs : (tensor<?x5xf32>, tensor<3x?xf32>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// Of two bounds the smaller one holds.
// CHECK-LABEL: func.func @atan2_bounded(
// CHECK: types0 = tensor<?xf32, #stablehlo.bounds<4>>
func.func @atan2_bounded(%lhs: tensor<?xf32, #stablehlo.bounds<7>>, %rhs: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = stablehlo.atan2 %lhs, %rhs
      : (tensor<?xf32, #stablehlo.bounds<7>>, tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @atan2_static_and_bounded(
// CHECK: types0 = tensor<6xf32>
func.func @atan2_static_and_bounded(%lhs: tensor<?xf32, #stablehlo.bounds<7>>, %rhs: tensor<6xf32>) {
  %0 = stablehlo.atan2 %lhs, %rhs : (tensor<?xf32, #stablehlo.bounds<7>>, tensor<6xf32>) -> tensor<?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}
