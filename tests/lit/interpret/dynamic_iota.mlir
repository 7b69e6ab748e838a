// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %output_shape = stablehlo.constant dense<[4, 5]> : tensor<2xi64>
  %result = stablehlo.dynamic_iota %output_shape, dim = 0 : (tensor<2xi64>) -> tensor<4x5xi64>
  check.expect_eq_const %result, dense<[[0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [2, 2, 2, 2, 2], [3, 3, 3, 3, 3]]> : tensor<4x5xi64>
  return
}

// -----

func.func @of_unknown_shape() {
  %output_shape = stablehlo.constant dense<[1, 3]> : tensor<2xi32>
  %counted = stablehlo.dynamic_iota %output_shape, dim = 1 : (tensor<2xi32>) -> tensor<?x?xf64>
  %result = stablehlo.reshape %counted : (tensor<?x?xf64>) -> tensor<3xf64>
  check.expect_eq_const %result, dense<[0.0, 1.0, 2.0]> : tensor<3xf64>
  return
}
