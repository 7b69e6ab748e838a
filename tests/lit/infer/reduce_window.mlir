// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @reduce_window(
// CHECK: types0 = tensor<4x3xi32>
func.func @reduce_window(%inputs: tensor<4x6xi8>, %init_values: tensor<i8>) {
  %0 = "stablehlo.reduce_window"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
      stablehlo.return %lhs : tensor<i32>
  }) {
    window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>,
    padding = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>
  } : (tensor<4x6xi8>, tensor<i8>) -> tensor<?x?xi32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi32>) -> tensor<?x?xi32>
  return
}

// -----

// CHECK-LABEL: func.func @reduce_window_bounded(
// CHECK: types0 = tensor<?x4xf32, #stablehlo.bounds<3, ?>>
func.func @reduce_window_bounded(%inputs: tensor<?x6xf32, #stablehlo.bounds<4, ?>>, %init_values: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 3>
  } : (tensor<?x6xf32, #stablehlo.bounds<4, ?>>, tensor<f32>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @reduce_window_several(
// CHECK: types0 = tensor<3x?xf32>, types1 = tensor<?x4xi8>
func.func @reduce_window_several(%inputs0: tensor<4x?xf32>, %inputs1: tensor<?x6xi8>, %init_values0: tensor<f32>, %init_values1: tensor<i8>) {
  %0:2 = "stablehlo.reduce_window"(%inputs0, %inputs1, %init_values0, %init_values1) ({
    ^bb0(%a: tensor<f32>, %b: tensor<i8>, %c: tensor<f32>, %d: tensor<i8>):
      stablehlo.return %a, %b : tensor<f32>, tensor<i8>
  }) {
    window_dimensions = array<i64: 2, 3>
  } : (tensor<4x?xf32>, tensor<?x6xi8>, tensor<f32>, tensor<i8>) -> (tensor<?x?xf32>, tensor<?x?xi8>)
  %shown = "hlo_test_infer.get_return_types"(%0#0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}
