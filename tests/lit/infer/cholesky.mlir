// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @cholesky(
// CHECK: types0 = tensor<2x4x4xf32>
func.func @cholesky(%a: tensor<2x4x4xf32>) {
  %0 = stablehlo.cholesky %a, lower = true : (tensor<2x4x4xf32>) -> tensor<?x?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @cholesky_bounded(
// CHECK: types0 = tensor<?x4x4xf32, #stablehlo.bounds<2, ?, ?>>
func.func @cholesky_bounded(%a: tensor<?x4x4xf32, #stablehlo.bounds<2, ?, ?>>) {
  %0 = stablehlo.cholesky %a, lower = true : (tensor<?x4x4xf32, #stablehlo.bounds<2, ?, ?>>) -> tensor<?x?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return
}
