// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0]]> : tensor<4x4xi32>
  %start_indices0 = stablehlo.constant dense<-1> : tensor<i64>
  %start_indices1 = stablehlo.constant dense<3> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start_indices0, %start_indices1, sizes = [2, 2] : (tensor<4x4xi32>, tensor<i64>, tensor<i64>) -> tensor<2x2xi32>
  check.expect_eq_const %result, dense<1> : tensor<2x2xi32>
  return
}

// -----

func.func @unsigned_start_past_the_signed_range() {
  %operand = stablehlo.constant dense<[5, 6, 7]> : tensor<3xi64>
  %start = stablehlo.constant dense<200> : tensor<ui8>
  %result = stablehlo.dynamic_slice %operand, %start, sizes = [2] : (tensor<3xi64>, tensor<ui8>) -> tensor<2xi64>
  check.expect_eq_const %result, dense<[6, 7]> : tensor<2xi64>
  return
}
