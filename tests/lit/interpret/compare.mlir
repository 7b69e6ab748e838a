// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %lhs = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %rhs = stablehlo.constant dense<[1.1, 2.9]> : tensor<2xf32>
  %less = stablehlo.compare LT, %lhs, %rhs, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  check.expect_eq_const %less, dense<[true, false]> : tensor<2xi1>
  return
}

// -----

func.func @signed_integers() {
  %lhs = stablehlo.constant dense<[-2, 0, -9223372036854775808]> : tensor<3xi64>
  %rhs = stablehlo.constant dense<[-1, 0, 9223372036854775807]> : tensor<3xi64>
  %equal = stablehlo.compare EQ, %lhs, %rhs, SIGNED : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
  check.expect_eq_const %equal, dense<[false, true, false]> : tensor<3xi1>
  %unequal = stablehlo.compare NE, %lhs, %rhs, SIGNED : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
  check.expect_eq_const %unequal, dense<[true, false, true]> : tensor<3xi1>
  %less = stablehlo.compare LT, %lhs, %rhs, SIGNED : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
  check.expect_eq_const %less, dense<[true, false, true]> : tensor<3xi1>
  %less_or_equal = stablehlo.compare LE, %lhs, %rhs, SIGNED : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
  check.expect_eq_const %less_or_equal, dense<[true, true, true]> : tensor<3xi1>
  %greater = stablehlo.compare GT, %lhs, %rhs, SIGNED : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
  check.expect_eq_const %greater, dense<[false, false, false]> : tensor<3xi1>
  %greater_or_equal = stablehlo.compare GE, %lhs, %rhs, SIGNED : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
  check.expect_eq_const %greater_or_equal, dense<[false, true, false]> : tensor<3xi1>
  return
}

// -----

func.func @unsigned_integers() {
  %lhs = stablehlo.constant dense<[18446744073709551615, 4, 0]> : tensor<3xui64>
  %rhs = stablehlo.constant dense<[1, 4, 9223372036854775808]> : tensor<3xui64>
  %equal = stablehlo.compare EQ, %lhs, %rhs, UNSIGNED : (tensor<3xui64>, tensor<3xui64>) -> tensor<3xi1>
  check.expect_eq_const %equal, dense<[false, true, false]> : tensor<3xi1>
  %unequal = stablehlo.compare NE, %lhs, %rhs, UNSIGNED : (tensor<3xui64>, tensor<3xui64>) -> tensor<3xi1>
  check.expect_eq_const %unequal, dense<[true, false, true]> : tensor<3xi1>
  %less = stablehlo.compare LT, %lhs, %rhs, UNSIGNED : (tensor<3xui64>, tensor<3xui64>) -> tensor<3xi1>
  check.expect_eq_const %less, dense<[false, false, true]> : tensor<3xi1>
  %less_or_equal = stablehlo.compare LE, %lhs, %rhs, UNSIGNED : (tensor<3xui64>, tensor<3xui64>) -> tensor<3xi1>
  check.expect_eq_const %less_or_equal, dense<[false, true, true]> : tensor<3xi1>
  %greater = stablehlo.compare GT, %lhs, %rhs, UNSIGNED : (tensor<3xui64>, tensor<3xui64>) -> tensor<3xi1>
  check.expect_eq_const %greater, dense<[true, false, false]> : tensor<3xi1>
  %greater_or_equal = stablehlo.compare GE, %lhs, %rhs, UNSIGNED : (tensor<3xui64>, tensor<3xui64>) -> tensor<3xi1>
  check.expect_eq_const %greater_or_equal, dense<[true, true, false]> : tensor<3xi1>
  return
}

// -----

func.func @booleans() {
  %lhs = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %rhs = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %equal = stablehlo.compare EQ, %lhs, %rhs, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %equal, dense<[true, false, false, true]> : tensor<4xi1>
  %unequal = stablehlo.compare NE, %lhs, %rhs, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %unequal, dense<[false, true, true, false]> : tensor<4xi1>
  %less = stablehlo.compare LT, %lhs, %rhs, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %less, dense<[false, true, false, false]> : tensor<4xi1>
  %less_or_equal = stablehlo.compare LE, %lhs, %rhs, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %less_or_equal, dense<[true, true, false, true]> : tensor<4xi1>
  %greater = stablehlo.compare GT, %lhs, %rhs, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %greater, dense<[false, false, true, false]> : tensor<4xi1>
  %greater_or_equal = stablehlo.compare GE, %lhs, %rhs, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %greater_or_equal, dense<[true, false, true, true]> : tensor<4xi1>
  return
}

// -----

// Zeros of both signs are equal; NaN is unequal to everything.
func.func @floats() {
  %lhs = stablehlo.constant dense<[-0.0, 0x7FF8000000000000, 0xFFF0000000000000, 1.0]> : tensor<4xf64>
  %rhs = stablehlo.constant dense<[0.0, 0x7FF8000000000000, -1.0, 0x7FF8000000000000]> : tensor<4xf64>
  %equal = stablehlo.compare EQ, %lhs, %rhs, FLOAT : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
  check.expect_eq_const %equal, dense<[true, false, false, false]> : tensor<4xi1>
  %unequal = stablehlo.compare NE, %lhs, %rhs, FLOAT : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
  check.expect_eq_const %unequal, dense<[false, true, true, true]> : tensor<4xi1>
  %less = stablehlo.compare LT, %lhs, %rhs, FLOAT : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
  check.expect_eq_const %less, dense<[false, false, true, false]> : tensor<4xi1>
  %less_or_equal = stablehlo.compare LE, %lhs, %rhs, FLOAT : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
  check.expect_eq_const %less_or_equal, dense<[true, false, true, false]> : tensor<4xi1>
  %greater = stablehlo.compare GT, %lhs, %rhs, FLOAT : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
  check.expect_eq_const %greater, dense<[false, false, false, false]> : tensor<4xi1>
  %greater_or_equal = stablehlo.compare GE, %lhs, %rhs, FLOAT : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
  check.expect_eq_const %greater_or_equal, dense<[true, false, false, false]> : tensor<4xi1>
  return
}

// -----

// -NaN < -infinity < -0.0 < 0.0 < infinity < NaN.
func.func @floats_in_total_order() {
  %lhs = stablehlo.constant dense<[-0.0, 0x7FF8000000000000, 0xFFF8000000000000, 1.0]> : tensor<4xf64>
  %rhs = stablehlo.constant dense<[0.0, 0x7FF0000000000000, 0xFFF0000000000000, 1.0]> : tensor<4xf64>
  %less = stablehlo.compare LT, %lhs, %rhs, TOTALORDER : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
  check.expect_eq_const %less, dense<[true, false, true, false]> : tensor<4xi1>
  %less_or_equal = stablehlo.compare LE, %lhs, %rhs, TOTALORDER : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
  check.expect_eq_const %less_or_equal, dense<[true, false, true, true]> : tensor<4xi1>
  %greater = stablehlo.compare GT, %lhs, %rhs, TOTALORDER : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
  check.expect_eq_const %greater, dense<[false, true, false, false]> : tensor<4xi1>
  %greater_or_equal = stablehlo.compare GE, %lhs, %rhs, TOTALORDER : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
  check.expect_eq_const %greater_or_equal, dense<[false, true, false, true]> : tensor<4xi1>
  return
}

// -----

func.func @complex_numbers() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (1.0, -2.0), (0.5, 9.0)]> : tensor<3xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(1.0, 2.0), (1.0, 2.0), (1.0, 2.0)]> : tensor<3xcomplex<f64>>
  %equal = stablehlo.compare EQ, %lhs, %rhs, FLOAT : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<3xi1>
  check.expect_eq_const %equal, dense<[true, false, false]> : tensor<3xi1>
  %unequal = stablehlo.compare NE, %lhs, %rhs, FLOAT : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<3xi1>
  check.expect_eq_const %unequal, dense<[false, true, true]> : tensor<3xi1>
  %less = stablehlo.compare LT, %lhs, %rhs, FLOAT : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<3xi1>
  check.expect_eq_const %less, dense<[false, true, true]> : tensor<3xi1>
  %less_or_equal = stablehlo.compare LE, %lhs, %rhs, FLOAT : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<3xi1>
  check.expect_eq_const %less_or_equal, dense<[true, true, true]> : tensor<3xi1>
  %greater = stablehlo.compare GT, %lhs, %rhs, FLOAT : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<3xi1>
  check.expect_eq_const %greater, dense<[false, false, false]> : tensor<3xi1>
  %greater_or_equal = stablehlo.compare GE, %lhs, %rhs, FLOAT : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<3xi1>
  check.expect_eq_const %greater_or_equal, dense<[true, false, false]> : tensor<3xi1>
  return
}

// -----

func.func @narrow_floats_in_total_order() {
  %lhs = stablehlo.constant dense<[-0.0, 0x7F, 0xFF, 1.5]> : tensor<4xf8E5M2>
  %rhs = stablehlo.constant dense<[0.0, 0x7C, 0xFC, 1.5]> : tensor<4xf8E5M2>
  %less = stablehlo.compare LT, %lhs, %rhs, TOTALORDER : (tensor<4xf8E5M2>, tensor<4xf8E5M2>) -> tensor<4xi1>
  check.expect_eq_const %less, dense<[true, false, true, false]> : tensor<4xi1>
  return
}

// -----

func.func @positive_floats_in_total_order() {
  %lhs = stablehlo.constant dense<[0.5, 2.0]> : tensor<2xf8E8M0FNU>
  %rhs = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf8E8M0FNU>
  %less = stablehlo.compare LT, %lhs, %rhs, TOTALORDER : (tensor<2xf8E8M0FNU>, tensor<2xf8E8M0FNU>) -> tensor<2xi1>
  check.expect_eq_const %less, dense<[true, false]> : tensor<2xi1>
  return
}
