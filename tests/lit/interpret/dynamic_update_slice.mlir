// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[[1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 1, 1], [1, 1, 1, 1]]> : tensor<4x4xi32>
  %update = stablehlo.constant dense<1> : tensor<2x2xi32>
  %start_indices0 = stablehlo.constant dense<-1> : tensor<i64>
  %start_indices1 = stablehlo.constant dense<3> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start_indices0, %start_indices1 : (tensor<4x4xi32>, tensor<2x2xi32>, tensor<i64>, tensor<i64>) -> tensor<4x4xi32>
  check.expect_eq_const %result, dense<1> : tensor<4x4xi32>
  return
}

// -----

func.func @operand_is_not_changed() {
  %operand = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %update = stablehlo.constant dense<[-7]> : tensor<1xi64>
  %start = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start : (tensor<3xi64>, tensor<1xi64>, tensor<i64>) -> tensor<3xi64>
  check.expect_eq_const %result, dense<[1, -7, 3]> : tensor<3xi64>
  check.expect_eq_const %operand, dense<[1, 2, 3]> : tensor<3xi64>
  return
}
