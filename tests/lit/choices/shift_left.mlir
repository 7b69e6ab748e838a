// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @past_the_width() {
  %lhs = stablehlo.constant dense<[1, 1, 1, -1]> : tensor<4xi64>
  %rhs = stablehlo.constant dense<[63, 64, 65, -1]> : tensor<4xi64>
  %result = stablehlo.shift_left %lhs, %rhs : tensor<4xi64>
  check.expect_eq_const %result, dense<[-9223372036854775808, 0, 0, 0]> : tensor<4xi64>
  return
}
