// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @past_the_width() {
  %lhs = stablehlo.constant dense<[-1, -1, -1]> : tensor<3xi64>
  %rhs = stablehlo.constant dense<[63, 64, -1]> : tensor<3xi64>
  %result = stablehlo.shift_right_logical %lhs, %rhs : tensor<3xi64>
  check.expect_eq_const %result, dense<[1, 0, 0]> : tensor<3xi64>
  return
}
