// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @integers_wrap() {
  %lhs = stablehlo.constant dense<[4611686018427387904, -3, -9223372036854775808]> : tensor<3xi64>
  %rhs = stablehlo.constant dense<[2, 5, -1]> : tensor<3xi64>
  %result = stablehlo.multiply %lhs, %rhs : tensor<3xi64>
  check.expect_eq_const %result, dense<[-9223372036854775808, -15, -9223372036854775808]> : tensor<3xi64>
  return
}
