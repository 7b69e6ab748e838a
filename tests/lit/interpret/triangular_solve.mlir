// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %a = stablehlo.constant dense<[[1.0, 0.0, 0.0], [2.0, 4.0, 0.0], [3.0, 5.0, 6.0]]> : tensor<3x3xf32>
  %b = stablehlo.constant dense<[[2.0, 0.0, 0.0], [4.0, 8.0, 0.0], [6.0, 10.0, 12.0]]> : tensor<3x3xf32>
  %result = "stablehlo.triangular_solve"(%a, %b) {
    left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>
  } : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  check.expect_almost_eq_const %result, dense<[[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]]> : tensor<3x3xf32>
  return
}

// -----

// Only the upper triangle is read, and not its diagonal.
func.func @right_upper_transposed_unit_diagonal() {
  %a = stablehlo.constant dense<[[1.0, 3.0], [99.0, 1.0]]> : tensor<2x2xf64>
  %b = stablehlo.constant dense<[[5.0, 1.0]]> : tensor<1x2xf64>
  %result = "stablehlo.triangular_solve"(%a, %b) {
    left_side = false, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>
  } : (tensor<2x2xf64>, tensor<1x2xf64>) -> tensor<1x2xf64>
  check.expect_almost_eq_const %result, dense<[[2.0, 1.0]]> : tensor<1x2xf64>
  return
}

// -----

func.func @left_lower_adjoint() {
  %a = stablehlo.constant dense<[[(0.0, 1.0), (0.0, 0.0)], [(1.0, 1.0), (2.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  %b = stablehlo.constant dense<[[(1.0, 0.0)], [(4.0, 0.0)]]> : tensor<2x1xcomplex<f64>>
  %result = "stablehlo.triangular_solve"(%a, %b) {
    left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>
  } : (tensor<2x2xcomplex<f64>>, tensor<2x1xcomplex<f64>>) -> tensor<2x1xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[[(-2.0, -1.0)], [(2.0, 0.0)]]> : tensor<2x1xcomplex<f64>>
  return
}
