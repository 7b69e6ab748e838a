// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[[0.0, 1.57079632], [3.14159265, 4.71238898]]> : tensor<2x2xf32>
  %result = stablehlo.sine %operand : tensor<2x2xf32>
  check.expect_almost_eq_const %result, dense<[[0.0, 1.0], [0.0, -1.0]]> : tensor<2x2xf32>
  return
}

// -----

func.func @floats() {
  %operand = stablehlo.constant dense<[0.5235987755982988, 0x7FF0000000000000]> : tensor<2xf64>
  %result = stablehlo.sine %operand : tensor<2xf64>
  check.expect_almost_eq_const %result, dense<[0.5, 0x7FF8000000000000]> : tensor<2xf64>
  return
}

// -----

func.func @complex_numbers() {
  %operand = stablehlo.constant dense<[(0.0, 1.0), (1.0, 2.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.sine %operand : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.0, 1.1752011936438014), (3.165778513216168, 1.9596010414216063)]> : tensor<2xcomplex<f64>>
  return
}

// -----

func.func @complex_numbers_with_a_tiny_part() {
  %operand = stablehlo.constant dense<[(0.5, 5.0e-324), (1.0e-310, 0.75), (-0.25, 1.0e-315)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.sine %operand : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.479425538604203, 5.0e-324), (1.29468328467683e-310, 0.82231673193583), (-0.24740395925452294, 9.6891242e-316)]> : tensor<3xcomplex<f64>>
  return
}
