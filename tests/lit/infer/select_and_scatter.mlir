// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @select_and_scatter(
// CHECK: types0 = tensor<6x4xf32>
func.func @select_and_scatter(%operand: tensor<6x4xf32>, %source: tensor<3x2xf32>, %init_value: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %larger = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %larger : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      stablehlo.return %a : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>
  } : (tensor<6x4xf32>, tensor<3x2xf32>, tensor<f32>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}
