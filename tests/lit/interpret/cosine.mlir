// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[[0.0, 1.57079632], [3.14159265, 4.71238898]]> : tensor<2x2xf32>
  %result = stablehlo.cosine %operand : tensor<2x2xf32>
  check.expect_almost_eq_const %result, dense<[[1.0, 0.0], [-1.0, 0.0]]> : tensor<2x2xf32>
  return
}

// -----

func.func @floats() {
  %operand = stablehlo.constant dense<[1.0471975511965976, 0x7FF0000000000000]> : tensor<2xf64>
  %result = stablehlo.cosine %operand : tensor<2xf64>
  check.expect_almost_eq_const %result, dense<[0.5, 0x7FF8000000000000]> : tensor<2xf64>
  return
}

// -----

// The double closest to an odd multiple of half a turn: 6381956970095103 * 2^797.
func.func @next_to_a_zero() {
  %operand = stablehlo.constant dense<[5.319372648326541E+255, -5.319372648326541E+255]> : tensor<2xf64>
  %result = stablehlo.cosine %operand : tensor<2xf64>
  check.expect_eq_const %result, dense<-4.6871659242546277E-19> : tensor<2xf64>
  return
}

// -----

func.func @complex_numbers() {
  %operand = stablehlo.constant dense<[(0.0, 1.0), (1.0, 2.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.cosine %operand : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(1.5430806348152437, 0.0), (2.0327230070196655, -3.0518977991518)]> : tensor<2xcomplex<f64>>
  return
}

// -----

func.func @complex_numbers_with_a_tiny_part() {
  %operand = stablehlo.constant dense<[(0.5, 5.0e-324), (1.0e-310, 0.75), (-0.25, 1.0e-315)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.cosine %operand : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.8775825618903728, -0.0), (1.2946832846768448, -8.2231673193585e-311), (0.9689124217106447, 2.4740396e-316)]> : tensor<3xcomplex<f64>>
  return
}
