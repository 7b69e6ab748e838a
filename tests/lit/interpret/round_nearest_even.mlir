// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[-2.5, 0.4, 0.5, 0.6, 2.5]> : tensor<5xf64>
  %result = stablehlo.round_nearest_even %operand : tensor<5xf64>
  check.expect_eq_const %result, dense<[-2.0, 0.0, 0.0, 1.0, 2.0]> : tensor<5xf64>
  return
}

// -----

func.func @floats() {
  %operand = stablehlo.constant dense<[-0.5, 1.5, 3.5, 0xFFF0000000000000]> : tensor<4xf64>
  %result = stablehlo.round_nearest_even %operand : tensor<4xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xf64>) -> tensor<4xi64>
  check.expect_eq_const %bits, dense<[0x8000000000000000, 0x4000000000000000, 0x4010000000000000, 0xFFF0000000000000]> : tensor<4xi64>
  return
}
