// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[-2.5, 0.4, 0.5, 0.6, 2.5]> : tensor<5xf64>
  %result = stablehlo.round_nearest_afz %operand : tensor<5xf64>
  check.expect_eq_const %result, dense<[-3.0, 0.0, 1.0, 1.0, 3.0]> : tensor<5xf64>
  return
}

// -----

// Adding a half and truncating would take the first to 1.0.
func.func @floats() {
  %operand = stablehlo.constant dense<[0.49999999999999994, -0.3, 4503599627370497.0, 0x7FF0000000000000]> : tensor<4xf64>
  %result = stablehlo.round_nearest_afz %operand : tensor<4xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xf64>) -> tensor<4xi64>
  check.expect_eq_const %bits, dense<[0, 0x8000000000000000, 0x4330000000000001, 0x7FF0000000000000]> : tensor<4xi64>
  return
}
