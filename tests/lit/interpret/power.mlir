// RUN: stablehlo-translate --interpret --split-input-file %s

// The last one overflows only in f32.
func.func @spec_example() {
  %lhs = stablehlo.constant dense<[-2.0, -0.0, -36.0, 5.0, 3.0, 10000.0]> : tensor<6xf64>
  %rhs = stablehlo.constant dense<[2.0, 2.0, 1.1, 2.0, -1.0, 10.0]> : tensor<6xf64>
  %result = stablehlo.power %lhs, %rhs : tensor<6xf64>
  check.expect_almost_eq_const %result, dense<[4.0, 0.0, 0x7FF8000000000000, 25.0, 0.333333343, 1.0e40]> : tensor<6xf64>
  return
}

// -----

func.func @signed_integers() {
  %lhs = stablehlo.constant dense<[-2, 3, 2, 0, 0]> : tensor<5xi64>
  %rhs = stablehlo.constant dense<[3, 4, 62, 0, 5]> : tensor<5xi64>
  %result = stablehlo.power %lhs, %rhs : tensor<5xi64>
  check.expect_eq_const %result, dense<[-8, 81, 4611686018427387904, 1, 0]> : tensor<5xi64>
  return
}

// -----

func.func @unsigned_integers() {
  %lhs = stablehlo.constant dense<[3, 2]> : tensor<2xui64>
  %rhs = stablehlo.constant dense<[4, 63]> : tensor<2xui64>
  %result = stablehlo.power %lhs, %rhs : tensor<2xui64>
  check.expect_eq_const %result, dense<[81, 9223372036854775808]> : tensor<2xui64>
  return
}

// -----

func.func @floats() {
  %lhs = stablehlo.constant dense<[0.0, 4.0, 1.0, -8.0]> : tensor<4xf64>
  %rhs = stablehlo.constant dense<[0.0, -0.5, 0x7FF8000000000000, 0.5]> : tensor<4xf64>
  %result = stablehlo.power %lhs, %rhs : tensor<4xf64>
  check.expect_almost_eq_const %result, dense<[1.0, 0.5, 1.0, 0x7FF8000000000000]> : tensor<4xf64>
  return
}

// -----

func.func @complex_numbers() {
  %lhs = stablehlo.constant dense<[(0.0, 1.0), (2.0, 0.0)]> : tensor<2xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(2.0, 0.0), (0.0, 1.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.power %lhs, %rhs : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(-1.0, 0.0), (0.7692389013639721, 0.6389612763136348)]> : tensor<2xcomplex<f64>>
  return
}

// -----

func.func @whole_powers_of_complex_numbers() {
  %lhs = stablehlo.constant dense<[(1.0, 1.0), (2.0, -1.0), (0.5, 1.0e-320)]> : tensor<3xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(4.0, 0.0), (2.0, 0.0), (0.5, 0.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.power %lhs, %rhs : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(-4.0, 0.0), (3.0, -4.0), (0.7071067811865476, 0.0)]> : tensor<3xcomplex<f64>>
  return
}

// -----

func.func @narrow_floats() {
  %lhs = stablehlo.constant dense<[2.0, -2.0, 4.0, 2.25]> : tensor<4xf8E4M3FN>
  %rhs = stablehlo.constant dense<[3.0, 3.0, 0.5, 0.5]> : tensor<4xf8E4M3FN>
  %result = stablehlo.power %lhs, %rhs : tensor<4xf8E4M3FN>
  check.expect_eq_const %result, dense<[8.0, -8.0, 2.0, 1.5]> : tensor<4xf8E4M3FN>
  return
}
