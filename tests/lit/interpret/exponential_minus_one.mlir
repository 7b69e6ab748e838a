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
