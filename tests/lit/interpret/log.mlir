// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %result = stablehlo.log %operand : tensor<2x2xf64>
  check.expect_almost_eq_const %result, dense<[[0.0, 0.69314718055994529], [1.0986122886681098, 1.3862943611198906]]> : tensor<2x2xf64>
  return
}

// -----

func.func @floats() {
  %operand = stablehlo.constant dense<[0.0, -1.0, 0x7FF0000000000000]> : tensor<3xf64>
  %result = stablehlo.log %operand : tensor<3xf64>
  check.expect_almost_eq_const %result, dense<[0xFFF0000000000000, 0x7FF8000000000000, 0x7FF0000000000000]> : tensor<3xf64>
  return
}

// -----

func.func @complex_numbers() {
  %operand = stablehlo.constant dense<[(0.0, 1.0), (-1.0, 0.0), (3.0, 4.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.log %operand : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.0, 1.5707963267948966), (0.0, 3.141592653589793), (1.6094379124341003, 0.9272952180016122)]> : tensor<3xcomplex<f64>>
  return
}

// -----

func.func @complex_numbers_with_a_tiny_part() {
  %operand = stablehlo.constant dense<[(0.5, 5.0e-324), (1.0e-310, 0.75), (-0.25, 1.0e-315)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.log %operand : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(-0.6931471805599453, 1.0e-323), (-0.2876820724517809, 1.5707963267948966), (-1.3862943611198906, 3.141592653589793)]> : tensor<3xcomplex<f64>>
  return
}
