// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %result = stablehlo.not %operand : tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[-2, -3], [-4, -5]]> : tensor<2x2xi32>
  return
}

// -----

func.func @spec_example_of_booleans() {
  %operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %result = stablehlo.not %operand : tensor<2xi1>
  check.expect_eq_const %result, dense<[false, true]> : tensor<2xi1>
  return
}

// -----

func.func @integers() {
  %operand = stablehlo.constant dense<[0, -1, 9223372036854775807]> : tensor<3xi64>
  %result = stablehlo.not %operand : tensor<3xi64>
  check.expect_eq_const %result, dense<[-1, 0, -9223372036854775808]> : tensor<3xi64>
  return
}

// -----

func.func @narrow_integers() {
  %operand = stablehlo.constant dense<[0, 5, 15]> : tensor<3xui4>
  %result = stablehlo.not %operand : tensor<3xui4>
  check.expect_eq_const %result, dense<[15, 10, 0]> : tensor<3xui4>
  return
}
