// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf64>
  %result = stablehlo.logistic %operand : tensor<2x2xf64>
  check.expect_almost_eq_const %result, dense<[[0.5, 0.73105858], [0.88079708, 0.95257413]]> : tensor<2x2xf64>
  return
}

// -----

func.func @floats() {
  %operand = stablehlo.constant dense<[-1.0986122886681098, 0xFFF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<4xf64>
  %result = stablehlo.logistic %operand : tensor<4xf64>
  check.expect_almost_eq_const %result, dense<[0.25, 0.0, 1.0, 0x7FF8000000000000]> : tensor<4xf64>
  return
}

// -----

func.func @complex_numbers() {
  %operand = stablehlo.constant dense<[(0.0, 1.5707963267948966), (0.0, 0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.logistic %operand : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.5, 0.5), (0.5, 0.0)]> : tensor<2xcomplex<f64>>
  return
}

// -----

func.func @complex_numbers_with_a_tiny_part() {
  %operand = stablehlo.constant dense<[(0.5, 5.0e-324), (1.0e-310, 0.75), (-0.25, 1.0e-315)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.logistic %operand : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.6224593312018546, 5.0e-324), (0.5, 0.19681328796281636), (0.43782349911420193, 2.46134083e-316)]> : tensor<3xcomplex<f64>>
  return
}
