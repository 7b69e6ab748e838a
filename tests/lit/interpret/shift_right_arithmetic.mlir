// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %lhs = stablehlo.constant dense<[-1, 0, 8]> : tensor<3xi64>
  %rhs = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<3xi64>
  check.expect_eq_const %result, dense<[-1, 0, 1]> : tensor<3xi64>
  return
}

// -----

func.func @unsigned_integers() {
  %lhs = stablehlo.constant dense<[18446744073709551608, 8]> : tensor<2xui64>
  %rhs = stablehlo.constant dense<[2, 2]> : tensor<2xui64>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<2xui64>
  check.expect_eq_const %result, dense<[18446744073709551614, 2]> : tensor<2xui64>
  return
}

// -----

func.func @up_to_the_width() {
  %lhs = stablehlo.constant dense<[-8, 8]> : tensor<2xi64>
  %rhs = stablehlo.constant dense<[63, 63]> : tensor<2xi64>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<2xi64>
  check.expect_eq_const %result, dense<[-1, 0]> : tensor<2xi64>
  return
}

// -----

func.func @narrow_unsigned_integers() {
  %lhs = stablehlo.constant dense<[8, 4]> : tensor<2xui4>
  %rhs = stablehlo.constant dense<[2, 1]> : tensor<2xui4>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<2xui4>
  check.expect_eq_const %result, dense<[14, 2]> : tensor<2xui4>
  return
}
