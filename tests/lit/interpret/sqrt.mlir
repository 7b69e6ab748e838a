// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[[0.0, 1.0], [4.0, 9.0]]> : tensor<2x2xf32>
  %result = stablehlo.sqrt %operand : tensor<2x2xf32>
  check.expect_eq_const %result, dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf32>
  return
}

// -----

func.func @floats() {
  %operand = stablehlo.constant dense<[2.0, -1.0, 0x7FF0000000000000]> : tensor<3xf64>
  %result = stablehlo.sqrt %operand : tensor<3xf64>
  check.expect_almost_eq_const %result, dense<[1.4142135623730951, 0x7FF8000000000000, 0x7FF0000000000000]> : tensor<3xf64>
  return
}

// -----

func.func @complex_numbers() {
  %operand = stablehlo.constant dense<[(-1.0, 0.0), (3.0, 4.0), (0.0, -2.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.sqrt %operand : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.0, 1.0), (2.0, 1.0), (1.0, -1.0)]> : tensor<3xcomplex<f64>>
  return
}

// -----

func.func @complex_numbers_with_a_tiny_part() {
  %operand = stablehlo.constant dense<[(0.5, 5.0e-324), (1.0e-310, 0.75), (-0.25, 1.0e-315)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.sqrt %operand : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.7071067811865476, 5.0e-324), (0.6123724356957945, 0.6123724356957946), (1.0e-315, 0.5)]> : tensor<3xcomplex<f64>>
  return
}

// -----

func.func @narrow_floats() {
  %operand = stablehlo.constant dense<[4.0, 2.25, 2.0]> : tensor<3xf8E4M3FN>
  %result = stablehlo.sqrt %operand : tensor<3xf8E4M3FN>
  check.expect_eq_const %result, dense<[2.0, 1.5, 1.375]> : tensor<3xf8E4M3FN>
  return
}
