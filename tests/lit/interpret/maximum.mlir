// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %lhs = stablehlo.constant dense<[[1, 2], [7, 8]]> : tensor<2x2xi32>
  %rhs = stablehlo.constant dense<[[5, 6], [3, 4]]> : tensor<2x2xi32>
  %result = stablehlo.maximum %lhs, %rhs : tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  return
}

// -----

func.func @signed_integers() {
  %lhs = stablehlo.constant dense<[-1, 5]> : tensor<2xi64>
  %rhs = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %result = stablehlo.maximum %lhs, %rhs : tensor<2xi64>
  check.expect_eq_const %result, dense<[1, 5]> : tensor<2xi64>
  return
}

// -----

func.func @unsigned_integers() {
  %lhs = stablehlo.constant dense<[18446744073709551615, 2]> : tensor<2xui64>
  %rhs = stablehlo.constant dense<[1, 3]> : tensor<2xui64>
  %result = stablehlo.maximum %lhs, %rhs : tensor<2xui64>
  check.expect_eq_const %result, dense<[18446744073709551615, 3]> : tensor<2xui64>
  return
}

// -----

func.func @booleans() {
  %lhs = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %rhs = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %result = stablehlo.maximum %lhs, %rhs : tensor<4xi1>
  check.expect_eq_const %result, dense<[false, true, true, true]> : tensor<4xi1>
  return
}

// -----

func.func @floats() {
  %lhs = stablehlo.constant dense<[1.0, 0x7FF8000000000000, -2.0, 0xFFF0000000000000]> : tensor<4xf64>
  %rhs = stablehlo.constant dense<[2.0, 1.0, 0x7FF8000000000000, 0.5]> : tensor<4xf64>
  %result = stablehlo.maximum %lhs, %rhs : tensor<4xf64>
  check.expect_almost_eq_const %result, dense<[2.0, 0x7FF8000000000000, 0x7FF8000000000000, 0.5]> : tensor<4xf64>
  return
}

// -----

// -0.0 is smaller than 0.0.
func.func @zeros() {
  %lhs = stablehlo.constant dense<[0.0, -0.0, -0.0]> : tensor<3xf64>
  %rhs = stablehlo.constant dense<[-0.0, 0.0, -0.0]> : tensor<3xf64>
  %result = stablehlo.maximum %lhs, %rhs : tensor<3xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<3xf64>) -> tensor<3xi64>
  check.expect_eq_const %bits, dense<[0, 0, 0x8000000000000000]> : tensor<3xi64>
  return
}

// -----

func.func @complex_numbers() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (1.0, 2.0)]> : tensor<2xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(1.0, 3.0), (0.0, 9.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.maximum %lhs, %rhs : tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(1.0, 3.0), (1.0, 2.0)]> : tensor<2xcomplex<f64>>
  return
}
