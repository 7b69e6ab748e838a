// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %lhs = stablehlo.constant dense<[0.0, 1.0, -1.0]> : tensor<3xf64>
  %rhs = stablehlo.constant dense<[0.0, 0.0, 0.0]> : tensor<3xf64>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<3xf64>
  check.expect_almost_eq_const %result, dense<[0.0, 1.5707963267948966, -1.5707963267948966]> : tensor<3xf64>
  return
}

// -----

func.func @quadrants() {
  %lhs = stablehlo.constant dense<[1.0, 1.0, -1.0, -0.0, 0x7FF0000000000000]> : tensor<5xf64>
  %rhs = stablehlo.constant dense<[1.0, -1.0, -1.0, -1.0, 0x7FF0000000000000]> : tensor<5xf64>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<5xf64>
  check.expect_almost_eq_const %result, dense<[0.7853981633974483, 2.356194490192345, -2.356194490192345, -3.141592653589793, 0.7853981633974483]> : tensor<5xf64>
  return
}

// -----

func.func @complex_numbers() {
  %lhs = stablehlo.constant dense<[(0.0, 0.0), (1.0, 0.0)]> : tensor<2xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(2.0, 0.0), (1.0, 0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.0, 0.0), (0.7853981633974483, 0.0)]> : tensor<2xcomplex<f64>>
  return
}
