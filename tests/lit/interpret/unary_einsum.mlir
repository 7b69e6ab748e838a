// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @sum_of_columns() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %result = stablehlo.unary_einsum %operand, config = "ij->j" : (tensor<2x3xi64>) -> tensor<3xi64>
  check.expect_eq_const %result, dense<[5, 7, 9]> : tensor<3xi64>
  return
}
