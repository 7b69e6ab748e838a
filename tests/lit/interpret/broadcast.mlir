// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @broadcast() {
  %operand = stablehlo.constant dense<[7, -8]> : tensor<2xi64>
  %result = stablehlo.broadcast %operand, sizes = [3, 1] : (tensor<2xi64>) -> tensor<3x1x2xi64>
  check.expect_eq_const %result, dense<[[[7, -8]], [[7, -8]], [[7, -8]]]> : tensor<3x1x2xi64>
  return
}
