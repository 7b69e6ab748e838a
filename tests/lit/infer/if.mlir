// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @if(
// CHECK: types0 = tensor<?x?xf32>
func.func @if(%pred: tensor<i1>, %dynamic: tensor<?x2xf32>, %other: tensor<3x?xf32>) {
  %0 = "stablehlo.if"(%pred) ({
      stablehlo.return %dynamic : tensor<?x2xf32>
  }, {
      stablehlo.return %other : tensor<3x?xf32>
  }) : (tensor<i1>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @if_bounded(
// CHECK: types0 = tensor<?xf32, #stablehlo.bounds<9>>
func.func @if_bounded(%pred: tensor<i1>, %small: tensor<?xf32, #stablehlo.bounds<4>>, %large: tensor<?xf32, #stablehlo.bounds<9>>) {
  %0 = "stablehlo.if"(%pred) ({
      stablehlo.return %small : tensor<?xf32, #stablehlo.bounds<4>>
  }, {
      stablehlo.return %large : tensor<?xf32, #stablehlo.bounds<9>>
  }) : (tensor<i1>) -> tensor<?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}
