// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xi32>
  %result = stablehlo.transpose %operand, dims = [2, 1, 0] : (tensor<2x3x2xi32>) -> tensor<2x3x2xi32>
  check.expect_eq_const %result, dense<[[[1, 7], [3, 9], [5, 11]], [[2, 8], [4, 10], [6, 12]]]> : tensor<2x3x2xi32>
  return
}

// -----

func.func @cyclic() {
  %operand = stablehlo.constant dense<[[[1, 2, 3]], [[4, 5, 6]]]> : tensor<2x1x3xi64>
  %result = stablehlo.transpose %operand, dims = [1, 2, 0] : (tensor<2x1x3xi64>) -> tensor<1x3x2xi64>
  check.expect_eq_const %result, dense<[[[1, 4], [2, 5], [3, 6]]]> : tensor<1x3x2xi64>
  return
}
