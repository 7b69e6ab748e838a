// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %lhs = stablehlo.constant dense<[-1, 0, 1]> : tensor<3xi64>
  %rhs = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %result = stablehlo.shift_left %lhs, %rhs : tensor<3xi64>
  check.expect_eq_const %result, dense<[-2, 0, 8]> : tensor<3xi64>
  return
}

// -----

func.func @past_the_width() {
  %lhs = stablehlo.constant dense<[1, 1, 1, -1]> : tensor<4xi64>
  %rhs = stablehlo.constant dense<[63, 64, 65, -1]> : tensor<4xi64>
  %result = stablehlo.shift_left %lhs, %rhs : tensor<4xi64>
  check.expect_eq_const %result, dense<[-9223372036854775808, 0, 0, 0]> : tensor<4xi64>
  return
}

// -----

func.func @narrow_integers() {
  %lhs = stablehlo.constant dense<[3, 9]> : tensor<2xui4>
  %rhs = stablehlo.constant dense<[2, 1]> : tensor<2xui4>
  %result = stablehlo.shift_left %lhs, %rhs : tensor<2xui4>
  check.expect_eq_const %result, dense<[12, 2]> : tensor<2xui4>
  return
}
