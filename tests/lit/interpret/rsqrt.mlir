// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[[1.0, 4.0], [9.0, 25.0]]> : tensor<2x2xf32>
  %result = stablehlo.rsqrt %operand : tensor<2x2xf32>
  check.expect_almost_eq_const %result, dense<[[1.0, 0.5], [0.33333343, 0.2]]> : tensor<2x2xf32>
  return
}

// -----

func.func @floats() {
  %operand = stablehlo.constant dense<[0.0, 0.0625, 0x7FF0000000000000, -1.0]> : tensor<4xf64>
  %result = stablehlo.rsqrt %operand : tensor<4xf64>
  check.expect_almost_eq_const %result, dense<[0x7FF0000000000000, 4.0, 0.0, 0x7FF8000000000000]> : tensor<4xf64>
  return
}

// -----

func.func @complex_numbers() {
  %operand = stablehlo.constant dense<[(0.0, 2.0), (-4.0, 0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.rsqrt %operand : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.5, -0.5), (0.0, -0.5)]> : tensor<2xcomplex<f64>>
  return
}

// -----

func.func @complex_numbers_with_a_tiny_part() {
  %operand = stablehlo.constant dense<[(0.5, 5.0e-324), (1.0e-310, 0.75), (-0.25, 1.0e-315)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.rsqrt %operand : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(1.414213562373095, -5.0e-324), (0.8164965809277259, -0.8164965809277261), (3.999999994e-315, -2.0)]> : tensor<3xcomplex<f64>>
  return
}
