// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @integers_wrap() {
  %lhs = stablehlo.constant dense<[9223372036854775807, -1, 0]> : tensor<3xi64>
  %rhs = stablehlo.constant dense<[1, 1, -3]> : tensor<3xi64>
  %result = stablehlo.add %lhs, %rhs : tensor<3xi64>
  check.expect_eq_const %result, dense<[-9223372036854775808, 0, -3]> : tensor<3xi64>
  return
}

// -----

func.func @narrow_integers_wrap() {
  %lhs = stablehlo.constant dense<[15, 7, 0]> : tensor<3xui4>
  %rhs = stablehlo.constant dense<[1, 10, 3]> : tensor<3xui4>
  %result = stablehlo.add %lhs, %rhs : tensor<3xui4>
  check.expect_eq_const %result, dense<[0, 1, 3]> : tensor<3xui4>
  return
}
