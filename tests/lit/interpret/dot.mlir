// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @vectors() {
  %lhs = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %rhs = stablehlo.constant dense<[4, -5, 6]> : tensor<3xi64>
  %result = stablehlo.dot %lhs, %rhs : (tensor<3xi64>, tensor<3xi64>) -> tensor<i64>
  check.expect_eq_const %result, dense<12> : tensor<i64>
  return
}

// -----

func.func @matrix_and_vector() {
  %lhs = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %rhs = stablehlo.constant dense<[10, 1]> : tensor<2xi64>
  %result = stablehlo.dot %lhs, %rhs : (tensor<3x2xi64>, tensor<2xi64>) -> tensor<3xi64>
  check.expect_eq_const %result, dense<[12, 34, 56]> : tensor<3xi64>
  return
}
