// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %lhs = stablehlo.constant dense<[-1, 0, 1]> : tensor<3xi64>
  %rhs = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %result = stablehlo.shift_left %lhs, %rhs : tensor<3xi64>
  check.expect_eq_const %result, dense<[-2, 0, 8]> : tensor<3xi64>
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

// -----

func.func @up_to_the_width() {
  %lhs = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  %rhs = stablehlo.constant dense<[62, 63]> : tensor<2xi64>
  %result = stablehlo.shift_left %lhs, %rhs : tensor<2xi64>
  check.expect_eq_const %result, dense<[4611686018427387904, -9223372036854775808]> : tensor<2xi64>
  return
}
