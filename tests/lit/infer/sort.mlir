// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @sort(
// CHECK: types0 = tensor<4x5xi32>, types1 = tensor<4x5xf32>
func.func @sort(%inputs0: tensor<4x5xi32>, %inputs1: tensor<4x5xf32>) {
  %0:2 = "stablehlo.sort"(%inputs0, %inputs1) ({
    ^bb0(%a0: tensor<i32>, %a1: tensor<i32>, %b0: tensor<f32>, %b1: tensor<f32>):
      %before = stablehlo.compare LT, %a0, %a1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %before : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<4x5xi32>, tensor<4x5xf32>) -> (tensor<?x?xi32>, tensor<?x?xf32>)
  %shown = "hlo_test_infer.get_return_types"(%0#0) : (tensor<?x?xi32>) -> tensor<?x?xi32>
  return
}

// -----

// CHECK-LABEL: func.func @sort_dynamic(
// CHECK: types0 = tensor<4x?xi32>, types1 = tensor<?x5xf32>
func.func @sort_dynamic(%inputs0: tensor<4x?xi32>, %inputs1: tensor<?x5xf32>) {
  %0:2 = "stablehlo.sort"(%inputs0, %inputs1) ({
    ^bb0(%a0: tensor<i32>, %a1: tensor<i32>, %b0: tensor<f32>, %b1: tensor<f32>):
      %before = stablehlo.compare LT, %a0, %a1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %before : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<4x?xi32>, tensor<?x5xf32>) -> (tensor<?x?xi32>, tensor<?x?xf32>)
  %shown = "hlo_test_infer.get_return_types"(%0#0) : (tensor<?x?xi32>) -> tensor<?x?xi32>
  return
}
