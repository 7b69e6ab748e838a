// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @count_leading_zeros(
// CHECK: types0 = tensor<3x5xi8>
func.func @count_leading_zeros(%operand: tensor<3x5xi8>) {
  %0 = stablehlo.count_leading_zeros %operand : (tensor<3x5xi8>) -> tensor<?x?xi8>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi8>) -> tensor<?x?xi8>
  return
}

// -----

// CHECK-LABEL: func.func @count_leading_zeros_bounded(
// CHECK: types0 = tensor<2x?xi8, #stablehlo.bounds<?, 6>>
func.func @count_leading_zeros_bounded(%operand: tensor<2x?xi8, #stablehlo.bounds<?, 6>>) {
  %0 = stablehlo.count_leading_zeros %operand : (tensor<2x?xi8, #stablehlo.bounds<?, 6>>) -> tensor<?x?xi8>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi8>) -> tensor<?x?xi8>
  return
}
