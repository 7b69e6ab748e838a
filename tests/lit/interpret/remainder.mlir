// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %lhs = stablehlo.constant dense<[17, -17, 17, -17]> : tensor<4xi64>
  %rhs = stablehlo.constant dense<[3, 3, -3, -3]> : tensor<4xi64>
  %result = stablehlo.remainder %lhs, %rhs : tensor<4xi64>
  check.expect_eq_const %result, dense<[2, -2, 2, -2]> : tensor<4xi64>
  return
}

// -----

func.func @unsigned_integers() {
  %lhs = stablehlo.constant dense<[18446744073709551615, 17]> : tensor<2xui64>
  %rhs = stablehlo.constant dense<[10, 5]> : tensor<2xui64>
  %result = stablehlo.remainder %lhs, %rhs : tensor<2xui64>
  check.expect_eq_const %result, dense<[5, 2]> : tensor<2xui64>
  return
}

// -----

// The result has the sign of the dividend, a zero too: [2.5, -2.5, -0.0, 5.0, 0.0].
func.func @floats() {
  %lhs = stablehlo.constant dense<[17.5, -17.5, -6.0, 5.0, 1.0e300]> : tensor<5xf64>
  %rhs = stablehlo.constant dense<[3.0, 3.0, 3.0, 0x7FF0000000000000, 1.0]> : tensor<5xf64>
  %result = stablehlo.remainder %lhs, %rhs : tensor<5xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<5xf64>) -> tensor<5xi64>
  check.expect_eq_const %bits, dense<[0x4004000000000000, 0xC004000000000000, 0x8000000000000000, 0x4014000000000000, 0]> : tensor<5xi64>
  return
}

// -----

func.func @of_nothing_and_by_zero() {
  %lhs = stablehlo.constant dense<[0x7FF0000000000000, 1.0, 0x7FF8000000000000]> : tensor<3xf64>
  %rhs = stablehlo.constant dense<[2.0, 0.0, 1.0]> : tensor<3xf64>
  %result = stablehlo.remainder %lhs, %rhs : tensor<3xf64>
  check.expect_almost_eq_const %result, dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<3xf64>
  return
}
