// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %result = stablehlo.reverse %operand, dims = [1] : tensor<3x2xi32>
  check.expect_eq_const %result, dense<[[2, 1], [4, 3], [6, 5]]> : tensor<3x2xi32>
  return
}

// -----

func.func @several_dimensions() {
  %operand = stablehlo.constant dense<[[[1, 2], [3, 4]]]> : tensor<1x2x2xi64>
  %result = stablehlo.reverse %operand, dims = [2, 0, 1] : tensor<1x2x2xi64>
  check.expect_eq_const %result, dense<[[[4, 3], [2, 1]]]> : tensor<1x2x2xi64>
  return
}
