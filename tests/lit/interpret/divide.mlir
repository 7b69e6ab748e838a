// RUN: stablehlo-translate --interpret --split-input-file %s

// The results that the spec shows are those of 17.0 / 3.0.
func.func @spec_example() {
  %lhs = stablehlo.constant dense<[17.1, -17.1, 17.1, -17.1]> : tensor<4xf32>
  %rhs = stablehlo.constant dense<[3.0, 3.0, -3.0, -3.0]> : tensor<4xf32>
  %result = stablehlo.divide %lhs, %rhs : tensor<4xf32>
  check.expect_almost_eq_const %result, dense<[5.7, -5.7, -5.7, 5.7]> : tensor<4xf32>
  return
}

// -----

func.func @signed_integers() {
  %lhs = stablehlo.constant dense<[17, -17, 17, -17, 3]> : tensor<5xi64>
  %rhs = stablehlo.constant dense<[3, 3, -3, -3, 5]> : tensor<5xi64>
  %result = stablehlo.divide %lhs, %rhs : tensor<5xi64>
  check.expect_eq_const %result, dense<[5, -5, -5, 5, 0]> : tensor<5xi64>
  return
}

// -----

func.func @unsigned_integers() {
  %lhs = stablehlo.constant dense<[18446744073709551615, 17, 4]> : tensor<3xui64>
  %rhs = stablehlo.constant dense<[2, 18446744073709551615, 4]> : tensor<3xui64>
  %result = stablehlo.divide %lhs, %rhs : tensor<3xui64>
  check.expect_eq_const %result, dense<[9223372036854775807, 0, 1]> : tensor<3xui64>
  return
}

// -----

func.func @floats() {
  %lhs = stablehlo.constant dense<[1.0, -1.0, 0.0, 1.0, 6.0]> : tensor<5xf64>
  %rhs = stablehlo.constant dense<[0.0, 0.0, 0.0, 0x7FF0000000000000, 4.0]> : tensor<5xf64>
  %result = stablehlo.divide %lhs, %rhs : tensor<5xf64>
  check.expect_almost_eq_const %result, dense<[0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, 1.5]> : tensor<5xf64>
  return
}

// -----

func.func @complex_numbers() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (2.0, 0.0)]> : tensor<2xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(3.0, -4.0), (0.0, 4.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.divide %lhs, %rhs : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(-0.2, 0.4), (0.0, -0.5)]> : tensor<2xcomplex<f64>>
  return
}

// -----

func.func @narrow_integers() {
  %lhs = stablehlo.constant dense<[7, -8, 6]> : tensor<3xi4>
  %rhs = stablehlo.constant dense<[2, 3, -4]> : tensor<3xi4>
  %result = stablehlo.divide %lhs, %rhs : tensor<3xi4>
  check.expect_eq_const %result, dense<[3, -2, -1]> : tensor<3xi4>
  return
}

// -----

func.func @narrow_floats() {
  %lhs = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf8E5M2>
  %rhs = stablehlo.constant dense<[4.0, 2.0]> : tensor<2xf8E5M2>
  %result = stablehlo.divide %lhs, %rhs : tensor<2xf8E5M2>
  check.expect_eq_const %result, dense<[0.25, 1.5]> : tensor<2xf8E5M2>
  return
}

// -----

func.func @complex_numbers_of_floats() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
  %rhs = stablehlo.constant dense<[(3.0, -4.0), (0.0, 4.0)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.divide %lhs, %rhs : tensor<2xcomplex<f32>>
  check.expect_almost_eq_const %result, dense<[(-0.2, 0.4), (0.0, -0.5)]> : tensor<2xcomplex<f32>>
  return
}
