// RUN: stablehlo-translate --interpret --split-input-file %s

// The spec's own example is at the poles, where a tolerance says nothing.
func.func @floats() {
  %operand = stablehlo.constant dense<[0.0, 0.7853981633974483, -0.4636476090008061, 0x7FF0000000000000]> : tensor<4xf64>
  %result = stablehlo.tan %operand : tensor<4xf64>
  check.expect_almost_eq_const %result, dense<[0.0, 1.0, -0.5, 0x7FF8000000000000]> : tensor<4xf64>
  return
}

// -----

func.func @complex_numbers() {
  %operand = stablehlo.constant dense<[(0.0, 1.0), (1.0, 1.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.tan %operand : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.0, 0.7615941559557649), (0.2717525853195118, 1.0839233273386946)]> : tensor<2xcomplex<f64>>
  return
}

// -----

func.func @complex_numbers_with_a_tiny_part() {
  %operand = stablehlo.constant dense<[(0.5, 5.0e-324), (1.0e-310, 0.75), (-0.25, 1.0e-315)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.tan %operand : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.5463024898437905, 5.0e-324), (5.9658580828136e-311, 0.6351489523872873), (-0.25534192122103627, 1.065199495e-315)]> : tensor<3xcomplex<f64>>
  return
}
