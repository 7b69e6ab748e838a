// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @past_the_width() {
  %lhs = stablehlo.constant dense<[-8, 8, -8, 8]> : tensor<4xi64>
  %rhs = stablehlo.constant dense<[64, 64, -1, -1]> : tensor<4xi64>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<4xi64>
  check.expect_eq_const %result, dense<[-1, 0, -1, 0]> : tensor<4xi64>
  return
}
