// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[0, -2]> : tensor<2xi32>
  %result = stablehlo.negate %operand : tensor<2xi32>
  check.expect_eq_const %result, dense<[0, 2]> : tensor<2xi32>
  return
}

// -----

func.func @spec_example_of_complex_numbers() {
  %operand = stablehlo.constant dense<[(2.5, 0.0)]> : tensor<1xcomplex<f32>>
  %result = stablehlo.negate %operand : tensor<1xcomplex<f32>>
  check.expect_eq_const %result, dense<[(-2.5, -0.0)]> : tensor<1xcomplex<f32>>
  return
}

// -----

func.func @integers() {
  %operand = stablehlo.constant dense<[5, -9223372036854775807]> : tensor<2xi64>
  %result = stablehlo.negate %operand : tensor<2xi64>
  check.expect_eq_const %result, dense<[-5, 9223372036854775807]> : tensor<2xi64>
  return
}

// -----

func.func @unsigned_integers() {
  %operand = stablehlo.constant dense<[0, 1]> : tensor<2xui64>
  %result = stablehlo.negate %operand : tensor<2xui64>
  check.expect_eq_const %result, dense<[0, 18446744073709551615]> : tensor<2xui64>
  return
}

// -----

func.func @floats() {
  %operand = stablehlo.constant dense<[0.0, -1.5, 0x7FF8000000000000]> : tensor<3xf64>
  %result = stablehlo.negate %operand : tensor<3xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<3xf64>) -> tensor<3xi64>
  check.expect_eq_const %bits, dense<[0x8000000000000000, 0x3FF8000000000000, 0xFFF8000000000000]> : tensor<3xi64>
  return
}

// -----

func.func @complex_numbers() {
  %operand = stablehlo.constant dense<[(1.5, -2.0)]> : tensor<1xcomplex<f64>>
  %result = stablehlo.negate %operand : tensor<1xcomplex<f64>>
  check.expect_eq_const %result, dense<[(-1.5, 2.0)]> : tensor<1xcomplex<f64>>
  return
}
