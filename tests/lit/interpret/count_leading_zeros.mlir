// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[[0, 1], [128, -1]]> : tensor<2x2xi64>
  %result = stablehlo.count_leading_zeros %operand : tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[64, 63], [56, 0]]> : tensor<2x2xi64>
  return
}

// -----

// 2^53 - 1 and 2^53 are where doubles stop counting by ones.
func.func @limits() {
  %operand = stablehlo.constant dense<[9223372036854775807, -9223372036854775808, 9007199254740991, 9007199254740992]> : tensor<4xi64>
  %result = stablehlo.count_leading_zeros %operand : tensor<4xi64>
  check.expect_eq_const %result, dense<[1, 0, 11, 10]> : tensor<4xi64>
  return
}

// -----

func.func @narrow_integers() {
  %operand = stablehlo.constant dense<[0, 1, 7, -8]> : tensor<4xi4>
  %result = stablehlo.count_leading_zeros %operand : tensor<4xi4>
  check.expect_eq_const %result, dense<[4, 3, 1, 0]> : tensor<4xi4>
  return
}
