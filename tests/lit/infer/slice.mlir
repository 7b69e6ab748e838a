// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @slice(
// CHECK: types0 = tensor<2x3xi32>
func.func @slice(%operand: tensor<5x8xi32>) {
  %0 = stablehlo.slice %operand [1:5:2, 0:8:3] : (tensor<5x8xi32>) -> tensor<?x?xi32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi32>) -> tensor<?x?xi32>
  return
}

// -----

// CHECK-LABEL: func.func @slice_bounded(
// CHECK: types0 = tensor<2x4xi32>
func.func @slice_bounded(%operand: tensor<?x8xi32, #stablehlo.bounds<5, ?>>) {
  %0 = stablehlo.slice %operand [1:5:2, 2:6] : (tensor<?x8xi32, #stablehlo.bounds<5, ?>>) -> tensor<?x?xi32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi32>) -> tensor<?x?xi32>
  return
}
