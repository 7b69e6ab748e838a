// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @rows() {
  %operand = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %index = stablehlo.constant dense<[2, 0]> : tensor<2xi64>
  %result = "stablehlo.torch_index_select"(%operand, %index) {
    dim = 0 : i64, batch_dims = 0 : i64
  } : (tensor<3x2xi64>, tensor<2xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[5, 6], [1, 2]]> : tensor<2x2xi64>
  return
}

// -----

func.func @of_each_batch() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %index = stablehlo.constant dense<[[2, 2], [1, 0]]> : tensor<2x2xi64>
  %result = "stablehlo.torch_index_select"(%operand, %index) {
    dim = 1 : i64, batch_dims = 1 : i64
  } : (tensor<2x3xi64>, tensor<2x2xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[3, 3], [5, 4]]> : tensor<2x2xi64>
  return
}
