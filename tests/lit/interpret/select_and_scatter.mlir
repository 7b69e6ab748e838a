// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[[1, 5], [2, 5], [3, 6], [4, 4]]> : tensor<4x2xi64>
  %source = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
  %init_value = stablehlo.constant dense<0> : tensor<i64>
  %result = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%x: tensor<i64>, %y: tensor<i64>):
      %first = stablehlo.compare GE, %x, %y : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %first : tensor<i1>
  }, {
    ^bb0(%x: tensor<i64>, %y: tensor<i64>):
      %sum = stablehlo.add %x, %y : tensor<i64>
      stablehlo.return %sum : tensor<i64>
  }) {
    window_dimensions = array<i64: 3, 1>,
    window_strides = array<i64: 2, 1>,
    padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<4x2xi64>, tensor<2x2xi64>, tensor<i64>) -> tensor<4x2xi64>
  check.expect_eq_const %result, dense<[[0, 0], [0, 0], [5, 14], [7, 0]]> : tensor<4x2xi64>
  return
}

// -----

// Padding is never selected, however large its elements would be.
func.func @padding_on_both_sides() {
  %operand = stablehlo.constant dense<[-5.0, -3.0, -4.0, -9.0]> : tensor<4xf64>
  %source = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf64>
  %init_value = stablehlo.constant dense<0.5> : tensor<f64>
  %result = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%x: tensor<f64>, %y: tensor<f64>):
      %first = stablehlo.compare GT, %x, %y : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %first : tensor<i1>
  }, {
    ^bb0(%x: tensor<f64>, %y: tensor<f64>):
      %largest = stablehlo.maximum %x, %y : tensor<f64>
      stablehlo.return %largest : tensor<f64>
  }) {
    window_dimensions = array<i64: 2>,
    window_strides = array<i64: 2>,
    padding = dense<[[1, 1]]> : tensor<1x2xi64>
  } : (tensor<4xf64>, tensor<3xf64>, tensor<f64>) -> tensor<4xf64>
  check.expect_eq_const %result, dense<[1.0, 2.0, 0.5, 4.0]> : tensor<4xf64>
  return
}
