// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @integers_wrap() {
  %lhs = stablehlo.constant dense<[-9223372036854775808, 3]> : tensor<2xi64>
  %rhs = stablehlo.constant dense<[1, 5]> : tensor<2xi64>
  %result = stablehlo.subtract %lhs, %rhs : tensor<2xi64>
  check.expect_eq_const %result, dense<[9223372036854775807, -2]> : tensor<2xi64>
  return
}

// -----

func.func @unsigned_integers_wrap() {
  %lhs = stablehlo.constant dense<[0, 3]> : tensor<2xui64>
  %rhs = stablehlo.constant dense<[1, 3]> : tensor<2xui64>
  %result = stablehlo.subtract %lhs, %rhs : tensor<2xui64>
  check.expect_eq_const %result, dense<[18446744073709551615, 0]> : tensor<2xui64>
  return
}
