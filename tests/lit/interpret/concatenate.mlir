// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %input0 = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %input1 = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
  %result = stablehlo.concatenate %input0, %input1, dim = 0 : (tensor<3x2xi64>, tensor<1x2xi64>) -> tensor<4x2xi64>
  check.expect_eq_const %result, dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi64>
  return
}

// -----

func.func @one_of_them_is_empty() {
  %input0 = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi64>
  %input1 = stablehlo.constant dense<> : tensor<2x0xi64>
  %input2 = stablehlo.constant dense<[[3, 5], [4, 6]]> : tensor<2x2xi64>
  %result = stablehlo.concatenate %input0, %input1, %input2, dim = 1 : (tensor<2x1xi64>, tensor<2x0xi64>, tensor<2x2xi64>) -> tensor<2x3xi64>
  check.expect_eq_const %result, dense<[[1, 3, 5], [2, 4, 6]]> : tensor<2x3xi64>
  return
}
