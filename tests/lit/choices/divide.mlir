// RUN: stablehlo-translate --interpret --split-input-file %s

// As on XLA's CPUs.
func.func @integers_by_zero() {
  %lhs = stablehlo.constant dense<[7, -7, 0]> : tensor<3xi64>
  %rhs = stablehlo.constant dense<[0, 0, 0]> : tensor<3xi64>
  %result = stablehlo.divide %lhs, %rhs : tensor<3xi64>
  check.expect_eq_const %result, dense<[-1, -1, -1]> : tensor<3xi64>
  return
}

// -----

func.func @unsigned_integers_by_zero() {
  %lhs = stablehlo.constant dense<[7, 0]> : tensor<2xui8>
  %rhs = stablehlo.constant dense<[0, 0]> : tensor<2xui8>
  %result = stablehlo.divide %lhs, %rhs : tensor<2xui8>
  check.expect_eq_const %result, dense<[255, 255]> : tensor<2xui8>
  return
}

// -----

func.func @smallest_integer() {
  %lhs = stablehlo.constant dense<[-9223372036854775808]> : tensor<1xi64>
  %rhs = stablehlo.constant dense<[-1]> : tensor<1xi64>
  %result = stablehlo.divide %lhs, %rhs : tensor<1xi64>
  check.expect_eq_const %result, dense<[-9223372036854775808]> : tensor<1xi64>
  return
}

// -----

// As in Annex G of the C standard: something by zero and infinity by something are infinite, something by infinity is 0.
func.func @complex_numbers_without_a_quotient() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (0x7FF0000000000000, 1.0), (1.0, 1.0)]> : tensor<3xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(0.0, 0.0), (1.0, 1.0), (0x7FF0000000000000, 1.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.divide %lhs, %rhs : tensor<3xcomplex<f64>>
  %real = stablehlo.real %result : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
  check.expect_eq_const %real, dense<[0x7FF0000000000000, 0x7FF0000000000000, 0.0]> : tensor<3xf64>
  return
}
