// RUN: stablehlo-translate --interpret --split-input-file %s

// What the quotient 1 / lhs^-rhs leaves when its fraction is dropped.
func.func @negative_exponents() {
  %lhs = stablehlo.constant dense<[-1, -1, 1, 2, -3, 0]> : tensor<6xi64>
  %rhs = stablehlo.constant dense<[-3, -4, -5, -1, -2, -1]> : tensor<6xi64>
  %result = stablehlo.power %lhs, %rhs : tensor<6xi64>
  check.expect_eq_const %result, dense<[-1, 1, 1, 0, 0, 0]> : tensor<6xi64>
  return
}

// -----

func.func @integers_wrap() {
  %lhs = stablehlo.constant dense<[2, 2, 3]> : tensor<3xi64>
  %rhs = stablehlo.constant dense<[63, 64, 41]> : tensor<3xi64>
  %result = stablehlo.power %lhs, %rhs : tensor<3xi64>
  check.expect_eq_const %result, dense<[-9223372036854775808, 0, -420491770248316829]> : tensor<3xi64>
  return
}
