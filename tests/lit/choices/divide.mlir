// RUN: stablehlo-translate --interpret --split-input-file %s

// As on XLA's CPUs.
func.func @integers_by_zero() {
  %lhs = stablehlo.constant dense<[7, -7, 0]> : tensor<3xi64>
  %rhs = stablehlo.constant dense<[0, 0, 0]> : tensor<3xi64>
  %result = stablehlo.divide %lhs, %rhs : tensor<3xi64>
  check.expect_eq_const %result, dense<[-1, -1, -1]> : tensor<3xi64>
  return
}

// -----

func.func @unsigned_integers_by_zero() {
  %lhs = stablehlo.constant dense<[7, 0]> : tensor<2xui8>
  %rhs = stablehlo.constant dense<[0, 0]> : tensor<2xui8>
  %result = stablehlo.divide %lhs, %rhs : tensor<2xui8>
  check.expect_eq_const %result, dense<[255, 255]> : tensor<2xui8>
  return
}

// -----

func.func @smallest_integer() {
  %lhs = stablehlo.constant dense<[-9223372036854775808]> : tensor<1xi64>
  %rhs = stablehlo.constant dense<[-1]> : tensor<1xi64>
  %result = stablehlo.divide %lhs, %rhs : tensor<1xi64>
  check.expect_eq_const %result, dense<[-9223372036854775808]> : tensor<1xi64>
  return
}
