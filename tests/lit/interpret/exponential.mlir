// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf64>
  %result = stablehlo.exponential %operand : tensor<2x2xf64>
  check.expect_almost_eq_const %result, dense<[[1.0, 2.7182818284590451], [7.3890560989306504, 20.085536923187668]]> : tensor<2x2xf64>
  return
}

// -----

func.func @floats() {
  %operand = stablehlo.constant dense<[0xFFF0000000000000, 0x7FF0000000000000, -0.6931471805599453, 0x7FF8000000000000]> : tensor<4xf64>
  %result = stablehlo.exponential %operand : tensor<4xf64>
  check.expect_almost_eq_const %result, dense<[0.0, 0x7FF0000000000000, 0.5, 0x7FF8000000000000]> : tensor<4xf64>
  return
}

// -----

func.func @complex_numbers() {
  %operand = stablehlo.constant dense<[(0.0, 1.5707963267948966), (1.0, 3.141592653589793)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.exponential %operand : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.0, 1.0), (-2.7182818284590451, 0.0)]> : tensor<2xcomplex<f64>>
  return
}

// -----

func.func @narrow_floats() {
  %operand = stablehlo.constant dense<[0.0, 1.0, 0x7C, 0xFC]> : tensor<4xf8E5M2>
  %result = stablehlo.exponential %operand : tensor<4xf8E5M2>
  check.expect_eq_const %result, dense<[1.0, 2.5, 0x7C, 0.0]> : tensor<4xf8E5M2>
  return
}

// -----

func.func @complex_numbers_with_a_tiny_part() {
  %operand = stablehlo.constant dense<[(0.5, 5.0e-324), (1.0e-310, 0.75), (-0.25, 1.0e-315)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.exponential %operand : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(1.6487212707001282, 1.0e-323), (0.7316888688738209, 0.6816387600233341), (0.7788007830714049, 7.7880078e-316)]> : tensor<3xcomplex<f64>>
  return
}
