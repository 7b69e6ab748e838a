// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[0, 1, 2, 127]> : tensor<4xi64>
  %result = stablehlo.popcnt %operand : tensor<4xi64>
  check.expect_eq_const %result, dense<[0, 1, 1, 7]> : tensor<4xi64>
  return
}

// -----

func.func @negative_integers() {
  %operand = stablehlo.constant dense<[-1, -9223372036854775808, -2]> : tensor<3xi64>
  %result = stablehlo.popcnt %operand : tensor<3xi64>
  check.expect_eq_const %result, dense<[64, 1, 63]> : tensor<3xi64>
  return
}

// -----

func.func @narrow_integers() {
  %operand = stablehlo.constant dense<[0, 7, 8, 15]> : tensor<4xui4>
  %result = stablehlo.popcnt %operand : tensor<4xui4>
  check.expect_eq_const %result, dense<[0, 3, 1, 4]> : tensor<4xui4>
  return
}
