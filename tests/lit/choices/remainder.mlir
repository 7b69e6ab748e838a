// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @integers_by_zero() {
  %lhs = stablehlo.constant dense<[7, -7, 0]> : tensor<3xi64>
  %rhs = stablehlo.constant dense<[0, 0, 0]> : tensor<3xi64>
  %result = stablehlo.remainder %lhs, %rhs : tensor<3xi64>
  check.expect_eq_const %result, dense<[7, -7, 0]> : tensor<3xi64>
  return
}

// -----

func.func @smallest_integer() {
  %lhs = stablehlo.constant dense<[-9223372036854775808]> : tensor<1xi64>
  %rhs = stablehlo.constant dense<[-1]> : tensor<1xi64>
  %result = stablehlo.remainder %lhs, %rhs : tensor<1xi64>
  check.expect_eq_const %result, dense<[0]> : tensor<1xi64>
  return
}
