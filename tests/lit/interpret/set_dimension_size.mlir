// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @smaller() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %size = stablehlo.constant dense<2> : tensor<i32>
  %bounded = stablehlo.set_dimension_size %operand, %size, dim = 1 : (tensor<2x3xi64>, tensor<i32>) -> tensor<2x?xi64, #stablehlo.bounds<?, 3>>
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %sums = stablehlo.reduce(%bounded init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x?xi64, #stablehlo.bounds<?, 3>>, tensor<i64>) -> tensor<2xi64>
  check.expect_eq_const %sums, dense<[3, 9]> : tensor<2xi64>
  %result = stablehlo.get_dimension_size %bounded, dim = 1 : (tensor<2x?xi64, #stablehlo.bounds<?, 3>>) -> tensor<i32>
  check.expect_eq_const %result, dense<2> : tensor<i32>
  return
}
