// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %result = stablehlo.reshape %operand : (tensor<2x3xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %result, dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  return
}

// -----

func.func @of_a_transposed_tensor() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %transposed = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xi64>) -> tensor<3x2xi64>
  %result = stablehlo.reshape %transposed : (tensor<3x2xi64>) -> tensor<6xi64>
  check.expect_eq_const %result, dense<[1, 4, 2, 5, 3, 6]> : tensor<6xi64>
  return
}

// -----

func.func @to_a_scalar() {
  %operand = stablehlo.constant dense<[[9]]> : tensor<1x1xi64>
  %result = stablehlo.reshape %operand : (tensor<1x1xi64>) -> tensor<i64>
  check.expect_eq_const %result, dense<9> : tensor<i64>
  return
}
