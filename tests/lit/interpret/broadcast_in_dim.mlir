// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi64>
  %result = stablehlo.broadcast_in_dim %operand, dims = [2, 1] : (tensor<1x3xi64>) -> tensor<2x3x2xi64>
  check.expect_eq_const %result, dense<[[[1, 1], [2, 2], [3, 3]], [[1, 1], [2, 2], [3, 3]]]> : tensor<2x3x2xi64>
  return
}

// -----

func.func @scalar() {
  %operand = stablehlo.constant dense<-5> : tensor<i64>
  %result = stablehlo.broadcast_in_dim %operand, dims = [] : (tensor<i64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<-5> : tensor<2x2xi64>
  return
}

// -----

func.func @empty() {
  %operand = stablehlo.constant dense<4> : tensor<1xi64>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<1xi64>) -> tensor<2x0xi64>
  check.expect_eq_const %result, dense<> : tensor<2x0xi64>
  return
}
