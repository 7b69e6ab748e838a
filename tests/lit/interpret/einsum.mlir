// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @batches_of_matrices() {
  %lhs = stablehlo.constant dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi64>
  %rhs = stablehlo.constant dense<[[[5], [6]], [[7], [8]]]> : tensor<2x2x1xi64>
  %result = stablehlo.einsum %lhs, %rhs, config = "bij,bjk->bik" : (tensor<2x1x2xi64>, tensor<2x2x1xi64>) -> tensor<2x1x1xi64>
  check.expect_eq_const %result, dense<[[[17]], [[53]]]> : tensor<2x1x1xi64>
  return
}
