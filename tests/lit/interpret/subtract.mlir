// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %lhs = stablehlo.constant dense<[[6.0, 8.0], [10.0, 12.0]]> : tensor<2x2xf32>
  %rhs = stablehlo.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %result = stablehlo.subtract %lhs, %rhs : tensor<2x2xf32>
  check.expect_eq_const %result, dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  return
}

// -----

func.func @floats() {
  %lhs = stablehlo.constant dense<[0.75, 0x7FF0000000000000, 1.0]> : tensor<3xf64>
  %rhs = stablehlo.constant dense<[0.5, 0x7FF0000000000000, 0xFFF0000000000000]> : tensor<3xf64>
  %result = stablehlo.subtract %lhs, %rhs : tensor<3xf64>
  check.expect_almost_eq_const %result, dense<[0.25, 0x7FF8000000000000, 0x7FF0000000000000]> : tensor<3xf64>
  return
}

// -----

func.func @complex_numbers() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0)]> : tensor<1xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(0.5, -2.0)]> : tensor<1xcomplex<f64>>
  %result = stablehlo.subtract %lhs, %rhs : tensor<1xcomplex<f64>>
  check.expect_eq_const %result, dense<[(0.5, 4.0)]> : tensor<1xcomplex<f64>>
  return
}

// -----

func.func @integers() {
  %lhs = stablehlo.constant dense<[-9223372036854775807, 3]> : tensor<2xi64>
  %rhs = stablehlo.constant dense<[1, 5]> : tensor<2xi64>
  %result = stablehlo.subtract %lhs, %rhs : tensor<2xi64>
  check.expect_eq_const %result, dense<[-9223372036854775808, -2]> : tensor<2xi64>
  return
}

// -----

func.func @unsigned_integers() {
  %lhs = stablehlo.constant dense<[18446744073709551615, 3]> : tensor<2xui64>
  %rhs = stablehlo.constant dense<[1, 3]> : tensor<2xui64>
  %result = stablehlo.subtract %lhs, %rhs : tensor<2xui64>
  check.expect_eq_const %result, dense<[18446744073709551614, 0]> : tensor<2xui64>
  return
}

// -----

func.func @narrow_integers() {
  %lhs = stablehlo.constant dense<[7, -8]> : tensor<2xi4>
  %rhs = stablehlo.constant dense<[3, -3]> : tensor<2xi4>
  %result = stablehlo.subtract %lhs, %rhs : tensor<2xi4>
  check.expect_eq_const %result, dense<[4, -5]> : tensor<2xi4>
  return
}
