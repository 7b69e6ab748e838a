// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @expect_eq() {
  %value = stablehlo.constant dense<[-3, 0, 3]> : tensor<3xi64>
  check.expect_eq %value, %value : tensor<3xi64>
  check.expect_eq_const %value, dense<[-3, 0, 3]> : tensor<3xi64>
  %zero = stablehlo.constant dense<-0.0> : tensor<f64>
  check.expect_eq_const %zero, dense<0.0> : tensor<f64>
  %complex = stablehlo.constant dense<(1.0, -2.0)> : tensor<complex<f32>>
  check.expect_eq_const %complex, dense<(1.0, -2.0)> : tensor<complex<f32>>
  return
}

// -----

func.func @expect_almost_eq() {
  %value = stablehlo.constant dense<[1.0, 0x7FC00000, 0x7F800000, 0.0]> : tensor<4xf32>
  check.expect_almost_eq_const %value, dense<[1.00005, 0x7FC00001, 0x7F800000, -0.00005]> : tensor<4xf32>
  %far = stablehlo.constant dense<[1.4, 0x7FC00000, 0x7F800000, 0.0]> : tensor<4xf32>
  check.expect_almost_eq %value, %far, tolerance = 0.5 : tensor<4xf32>
  %complex = stablehlo.constant dense<(1.0, -2.0)> : tensor<complex<f64>>
  check.expect_almost_eq_const %complex, dense<(1.00001, -2.00001)> : tensor<complex<f64>>
  return
}

// -----

func.func @expect_close() {
  %value = stablehlo.constant dense<[1.0, 0xFFC00000]> : tensor<2xf32>
  %next = stablehlo.constant dense<[0x3F800003, 0x7FC00000]> : tensor<2xf32>
  check.expect_close %value, %next, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf32>
  %across_zero = stablehlo.constant dense<[0x00000002]> : tensor<1xf32>
  %below_zero = stablehlo.constant dense<[0x80000003]> : tensor<1xf32>
  check.expect_close %across_zero, %below_zero, max_ulp_difference = 5, min_ulp_difference = 5 : tensor<1xf32>, tensor<1xf32>
  return
}
