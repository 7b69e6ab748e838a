// RUN: stablehlo-translate --interpret --split-input-file %s

// NaN, -1.0, -0.0, 0.0, 1.0.
func.func @spec_example() {
  %operand = stablehlo.constant dense<[0x7FFFFFFFFFFFFFFF, -1.0, -0.0, 0.0, 1.0]> : tensor<5xf64>
  %result = stablehlo.sign %operand : tensor<5xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<5xf64>) -> tensor<5xi64>
  check.expect_eq_const %bits, dense<[0x7FFFFFFFFFFFFFFF, 0xBFF0000000000000, 0x8000000000000000, 0, 0x3FF0000000000000]> : tensor<5xi64>
  return
}

// -----

func.func @integers() {
  %operand = stablehlo.constant dense<[-9223372036854775808, -3, 0, 9]> : tensor<4xi64>
  %result = stablehlo.sign %operand : tensor<4xi64>
  check.expect_eq_const %result, dense<[-1, -1, 0, 1]> : tensor<4xi64>
  return
}

// -----

func.func @complex_numbers() {
  %operand = stablehlo.constant dense<[(3.0, -4.0), (0.0, 0.0), (0x7FF8000000000000, 1.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.sign %operand : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.6, -0.8), (0.0, 0.0), (0x7FF8000000000000, 0x7FF8000000000000)]> : tensor<3xcomplex<f64>>
  return
}

// -----

func.func @complex_numbers_with_a_tiny_part() {
  %operand = stablehlo.constant dense<[(0.5, 5.0e-324), (1.0e-310, 0.75), (-0.25, 1.0e-315)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.sign %operand : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(1.0, 1.0e-323), (1.3333333333333e-310, 1.0), (-1.0, 3.999999994e-315)]> : tensor<3xcomplex<f64>>
  return
}

// -----

func.func @complex_numbers_of_floats() {
  %operand = stablehlo.constant dense<[(3.0, -4.0), (0.0, 2.0)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.sign %operand : tensor<2xcomplex<f32>>
  check.expect_almost_eq_const %result, dense<[(0.6, -0.8), (0.0, 1.0)]> : tensor<2xcomplex<f32>>
  return
}
