// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %result = stablehlo.get_dimension_size %operand, dim = 1 : (tensor<2x3xi64>) -> tensor<i32>
  check.expect_eq_const %result, dense<3> : tensor<i32>
  return
}

// -----

func.func @of_a_dynamic_dimension() {
  %shape = stablehlo.constant dense<[4, 2]> : tensor<2xi64>
  %operand = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<2xi64>) -> tensor<?x2xi64>
  %result = stablehlo.get_dimension_size %operand, dim = 0 : (tensor<?x2xi64>) -> tensor<i32>
  check.expect_eq_const %result, dense<4> : tensor<i32>
  return
}
