// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %padding_value = stablehlo.constant dense<0> : tensor<i32>
  %result = stablehlo.pad %operand, %padding_value, low = [0, 1], high = [2, 1], interior = [1, 2] : (tensor<2x3xi32>, tensor<i32>) -> tensor<5x9xi32>
  check.expect_eq_const %result, dense<[[0, 1, 0, 0, 2, 0, 0, 3, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 4, 0, 0, 5, 0, 0, 6, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0]]> : tensor<5x9xi32>
  return
}

// -----

func.func @negative_low() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %padding_value = stablehlo.constant dense<-1> : tensor<i64>
  %result = stablehlo.pad %operand, %padding_value, low = [-2], high = [1], interior = [1] : (tensor<4xi64>, tensor<i64>) -> tensor<6xi64>
  check.expect_eq_const %result, dense<[2, -1, 3, -1, 4, -1]> : tensor<6xi64>
  return
}

// -----

func.func @negative_into_interior_padding() {
  %operand = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %padding_value = stablehlo.constant dense<9> : tensor<i64>
  %result = stablehlo.pad %operand, %padding_value, low = [-1], high = [-2], interior = [2] : (tensor<3xi64>, tensor<i64>) -> tensor<4xi64>
  check.expect_eq_const %result, dense<[9, 9, 2, 9]> : tensor<4xi64>
  return
}

// -----

func.func @empty_operand() {
  %operand = stablehlo.constant dense<> : tensor<0x2xi64>
  %padding_value = stablehlo.constant dense<6> : tensor<i64>
  %result = stablehlo.pad %operand, %padding_value, low = [1, 0], high = [0, 0], interior = [3, 0] : (tensor<0x2xi64>, tensor<i64>) -> tensor<1x2xi64>
  check.expect_eq_const %result, dense<6> : tensor<1x2xi64>
  return
}
