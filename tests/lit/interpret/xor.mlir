// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %lhs = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %rhs = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %result = stablehlo.xor %lhs, %rhs : tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[4, 4], [4, 12]]> : tensor<2x2xi32>
  return
}

// -----

func.func @spec_example_of_booleans() {
  %lhs = stablehlo.constant dense<[[false, false], [true, true]]> : tensor<2x2xi1>
  %rhs = stablehlo.constant dense<[[false, true], [false, true]]> : tensor<2x2xi1>
  %result = stablehlo.xor %lhs, %rhs : tensor<2x2xi1>
  check.expect_eq_const %result, dense<[[false, true], [true, false]]> : tensor<2x2xi1>
  return
}

// -----

func.func @integers() {
  %lhs = stablehlo.constant dense<[12, -1, 7]> : tensor<3xi64>
  %rhs = stablehlo.constant dense<[10, 5, 7]> : tensor<3xi64>
  %result = stablehlo.xor %lhs, %rhs : tensor<3xi64>
  check.expect_eq_const %result, dense<[6, -6, 0]> : tensor<3xi64>
  return
}
