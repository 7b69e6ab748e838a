// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[[0, 0, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]]> : tensor<3x4xi64>
  %result = stablehlo.slice %operand [1:3, 2:4] : (tensor<3x4xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<1> : tensor<2x2xi64>
  return
}

// -----

func.func @strides() {
  %operand = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16]> : tensor<7xi64>
  %result = stablehlo.slice %operand [1:7:3] : (tensor<7xi64>) -> tensor<2xi64>
  check.expect_eq_const %result, dense<[11, 14]> : tensor<2xi64>
  return
}
