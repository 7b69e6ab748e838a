// RUN: stablehlo-translate --interpret --split-input-file %s

// [-0.0, -0.0, 1.0, 1.0, 2.0]
func.func @spec_example() {
  %operand = stablehlo.constant dense<[-0.8166, -0.2530, 0.2530, 0.8166, 2.0]> : tensor<5xf32>
  %result = stablehlo.ceil %operand : tensor<5xf32>
  %bits = stablehlo.bitcast_convert %result : (tensor<5xf32>) -> tensor<5xi32>
  check.expect_eq_const %bits, dense<[0x80000000, 0x80000000, 0x3F800000, 0x3F800000, 0x40000000]> : tensor<5xi32>
  return
}

// -----

func.func @floats() {
  %operand = stablehlo.constant dense<[-2.5, 1.0e-300, 4503599627370496.5, 0xFFF0000000000000]> : tensor<4xf64>
  %result = stablehlo.ceil %operand : tensor<4xf64>
  check.expect_eq_const %result, dense<[-2.0, 1.0, 4503599627370496.0, 0xFFF0000000000000]> : tensor<4xf64>
  return
}
