// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0], [2.0, 20.0, 26.0], [3.0, 26.0, 70.0]]> : tensor<3x3xf32>
  %result = stablehlo.cholesky %a, lower = true : tensor<3x3xf32>
  check.expect_almost_eq_const %result, dense<[[1.0, 0.0, 0.0], [2.0, 4.0, 0.0], [3.0, 5.0, 6.0]]> : tensor<3x3xf32>
  return
}

// -----

// Only the upper triangle is read, and the one below the result's is left out of the comparison.
func.func @upper_of_complex_numbers() {
  %a = stablehlo.constant dense<[[(4.0, 0.0), (2.0, 4.0)], [(9.0, 9.0), (6.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  %result = stablehlo.cholesky %a, lower = false : tensor<2x2xcomplex<f64>>
  %first_row = stablehlo.slice %result [0:1, 0:2] : (tensor<2x2xcomplex<f64>>) -> tensor<1x2xcomplex<f64>>
  check.expect_almost_eq_const %first_row, dense<[[(2.0, 0.0), (1.0, 2.0)]]> : tensor<1x2xcomplex<f64>>
  %last = stablehlo.slice %result [1:2, 1:2] : (tensor<2x2xcomplex<f64>>) -> tensor<1x1xcomplex<f64>>
  check.expect_almost_eq_const %last, dense<[[(1.0, 0.0)]]> : tensor<1x1xcomplex<f64>>
  return
}
