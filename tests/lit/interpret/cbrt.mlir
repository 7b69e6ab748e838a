// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[0.0, 1.0, 8.0, 27.0]> : tensor<4xf64>
  %result = stablehlo.cbrt %operand : tensor<4xf64>
  check.expect_almost_eq_const %result, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf64>
  return
}

// -----

func.func @floats() {
  %operand = stablehlo.constant dense<[-64.0, 0.001, 0xFFF0000000000000]> : tensor<3xf64>
  %result = stablehlo.cbrt %operand : tensor<3xf64>
  check.expect_almost_eq_const %result, dense<[-4.0, 0.1, 0xFFF0000000000000]> : tensor<3xf64>
  return
}

// -----

func.func @complex_numbers() {
  %operand = stablehlo.constant dense<[(8.0, 0.0), (0.0, 27.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.cbrt %operand : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(2.0, 0.0), (2.598076211353316, 1.5)]> : tensor<2xcomplex<f64>>
  return
}

// -----

func.func @complex_numbers_with_a_tiny_part() {
  %operand = stablehlo.constant dense<[(0.5, 5.0e-324), (1.0e-310, 0.75), (-0.25, 1.0e-315)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.cbrt %operand : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.7937005259840998, 5.0e-324), (0.7868362975662362, 0.45428014820803486), (0.31498026247371835, 0.5455618179858607)]> : tensor<3xcomplex<f64>>
  return
}
