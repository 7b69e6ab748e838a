// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[0.0, -0.999, 7.0, 6.38905621, 15.0]> : tensor<5xf64>
  %result = stablehlo.log_plus_one %operand : tensor<5xf64>
  check.expect_almost_eq_const %result, dense<[0.0, -6.90776825, 2.07944155, 2.0, 2.77258873]> : tensor<5xf64>
  return
}

// -----

// log(1 + x) in two steps would come to zero.
func.func @small_floats() {
  %operand = stablehlo.constant dense<[1.0e-300, -1.0e-17]> : tensor<2xf64>
  %result = stablehlo.log_plus_one %operand : tensor<2xf64>
  check.expect_eq_const %result, dense<[1.0e-300, -1.0e-17]> : tensor<2xf64>
  return
}

// -----

func.func @complex_numbers() {
  %operand = stablehlo.constant dense<[(0.0, 1.0), (-2.0, 0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.log_plus_one %operand : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.34657359027997264, 0.7853981633974483), (0.0, 3.141592653589793)]> : tensor<2xcomplex<f64>>
  return
}

// -----

func.func @complex_numbers_with_a_tiny_part() {
  %operand = stablehlo.constant dense<[(0.5, 5.0e-324), (1.0e-310, 0.75), (-0.25, 1.0e-315)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.log_plus_one %operand : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.4054651081081644, 5.0e-324), (0.22314355131420976, 0.6435011087932844), (-0.2876820724517809, 1.333333333e-315)]> : tensor<3xcomplex<f64>>
  return
}

// -----

func.func @narrow_floats() {
  %operand = stablehlo.constant dense<[0.0, 1.0, 7.0]> : tensor<3xf8E4M3FN>
  %result = stablehlo.log_plus_one %operand : tensor<3xf8E4M3FN>
  check.expect_eq_const %result, dense<[0.0, 0.6875, 2.0]> : tensor<3xf8E4M3FN>
  return
}
