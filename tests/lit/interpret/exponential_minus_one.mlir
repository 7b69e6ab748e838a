// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf64>
  %result = stablehlo.exponential_minus_one %operand : tensor<2xf64>
  check.expect_almost_eq_const %result, dense<[0.0, 1.71828187]> : tensor<2xf64>
  return
}

// -----

// e^x - 1 in two steps would come to zero.
func.func @small_floats() {
  %operand = stablehlo.constant dense<[1.0e-300, -1.0e-17]> : tensor<2xf64>
  %result = stablehlo.exponential_minus_one %operand : tensor<2xf64>
  check.expect_eq_const %result, dense<[1.0e-300, -1.0e-17]> : tensor<2xf64>
  return
}

// -----

func.func @complex_numbers() {
  %operand = stablehlo.constant dense<[(0.0, 3.141592653589793), (1.0, 0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.exponential_minus_one %operand : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(-2.0, 0.0), (1.7182818284590453, 0.0)]> : tensor<2xcomplex<f64>>
  return
}

// -----

func.func @complex_numbers_with_a_tiny_part() {
  %operand = stablehlo.constant dense<[(0.5, 5.0e-324), (1.0e-310, 0.75), (-0.25, 1.0e-315)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.exponential_minus_one %operand : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.6487212707001282, 1.0e-323), (-0.2683111311261791, 0.6816387600233341), (-0.22119921692859512, 7.7880078e-316)]> : tensor<3xcomplex<f64>>
  return
}
