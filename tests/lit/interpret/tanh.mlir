// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf32>
  %result = stablehlo.tanh %operand : tensor<3xf32>
  check.expect_almost_eq_const %result, dense<[-0.76159416, 0.0, 0.76159416]> : tensor<3xf32>
  return
}

// -----

func.func @floats() {
  %operand = stablehlo.constant dense<[0.5493061443340549, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<3xf64>
  %result = stablehlo.tanh %operand : tensor<3xf64>
  check.expect_almost_eq_const %result, dense<[0.5, -1.0, 0x7FF8000000000000]> : tensor<3xf64>
  return
}

// -----

func.func @complex_numbers() {
  %operand = stablehlo.constant dense<[(0.0, 1.0), (1.0, 1.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.tanh %operand : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.0, 1.5574077246549023), (1.0839233273386946, 0.2717525853195118)]> : tensor<2xcomplex<f64>>
  return
}

// -----

func.func @complex_numbers_with_a_tiny_part() {
  %operand = stablehlo.constant dense<[(0.5, 5.0e-324), (1.0e-310, 0.75), (-0.25, 1.0e-315)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.tanh %operand : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.46211715726000974, 5.0e-324), (1.86787196418033e-310, 0.9315964599440725), (-0.24491866240370913, 9.40014846e-316)]> : tensor<3xcomplex<f64>>
  return
}

// -----

func.func @narrow_floats() {
  %operand = stablehlo.constant dense<[0.0, 1.0, -2.0]> : tensor<3xf8E4M3FN>
  %result = stablehlo.tanh %operand : tensor<3xf8E4M3FN>
  check.expect_eq_const %result, dense<[0.0, 0.75, -0.9375]> : tensor<3xf8E4M3FN>
  return
}
