// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @is_finite(
// CHECK: types0 = tensor<4x4xi1>
func.func @is_finite(%x: tensor<4x4xf32>) {
  %0 = stablehlo.is_finite %x : (tensor<4x4xf32>) -> tensor<?x?xi1>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi1>) -> tensor<?x?xi1>
  return
}

// -----

// CHECK-LABEL: func.func @is_finite_bounded(
// CHECK: types0 = tensor<?xi1, #stablehlo.bounds<3>>
func.func @is_finite_bounded(%x: tensor<?xf32, #stablehlo.bounds<3>>) {
  %0 = stablehlo.is_finite %x : (tensor<?xf32, #stablehlo.bounds<3>>) -> tensor<?xi1>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xi1>) -> tensor<?xi1>
  return
}
