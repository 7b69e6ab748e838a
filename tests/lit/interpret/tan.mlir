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
