// RUN: stablehlo-translate --interpret --split-input-file %s

// Modulo 2^8.
func.func @integers_to_narrower_integers() {
  %operand = stablehlo.constant dense<[300, -129, 127]> : tensor<3xi32>
  %result = stablehlo.convert %operand : (tensor<3xi32>) -> tensor<3xi8>
  check.expect_eq_const %result, dense<[44, 127, 127]> : tensor<3xi8>
  return
}

// -----

// The nearest integer; NaN becomes 0.
func.func @floats_to_integers_that_cannot_hold_them() {
  %operand = stablehlo.constant dense<[1000.0, -1000.0, 0x7FF8000000000000, 0x7FF0000000000000]> : tensor<4xf64>
  %result = stablehlo.convert %operand : (tensor<4xf64>) -> tensor<4xi8>
  check.expect_eq_const %result, dense<[127, -128, 0, 127]> : tensor<4xi8>
  return
}

// -----

func.func @negative_floats_to_unsigned_integers() {
  %operand = stablehlo.constant dense<[-1.0, 255.9, 256.0]> : tensor<3xf64>
  %result = stablehlo.convert %operand : (tensor<3xf64>) -> tensor<3xui8>
  check.expect_eq_const %result, dense<[0, 255, 255]> : tensor<3xui8>
  return
}

// -----

// The nearest, ties to even.
func.func @floats_to_floats_that_cannot_hold_them() {
  %operand = stablehlo.constant dense<[0.1, 1.0e6, -1.0e-10]> : tensor<3xf64>
  %result = stablehlo.convert %operand : (tensor<3xf64>) -> tensor<3xf16>
  check.expect_eq_const %result, dense<[0.0999755859375, 0x7C00, -0.0]> : tensor<3xf16>
  return
}

// -----

// There is no infinity: the largest value.
func.func @floats_to_types_of_finite_values() {
  %operand = stablehlo.constant dense<[100.0, -100.0, 2.5]> : tensor<3xf32>
  %result = stablehlo.convert %operand : (tensor<3xf32>) -> tensor<3xf4E2M1FN>
  check.expect_eq_const %result, dense<[6.0, -6.0, 2.0]> : tensor<3xf4E2M1FN>
  return
}

// -----

// Rounded once, ties to even.
func.func @integers_to_floats() {
  %operand = stablehlo.constant dense<[16777217, 9007199254740993]> : tensor<2xi64>
  %result = stablehlo.convert %operand : (tensor<2xi64>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[16777216.0, 9007199254740992.0]> : tensor<2xf32>
  return
}
