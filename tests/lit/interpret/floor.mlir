// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[-0.8166, -0.2530, 0.2530, 0.8166, 2.0]> : tensor<5xf32>
  %result = stablehlo.floor %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[-1.0, -1.0, 0.0, 0.0, 2.0]> : tensor<5xf32>
  return
}

// -----

func.func @floats() {
  %operand = stablehlo.constant dense<[-2.5, -1.0e-300, 1.0e300, 0x7FF0000000000000]> : tensor<4xf64>
  %result = stablehlo.floor %operand : tensor<4xf64>
  check.expect_eq_const %result, dense<[-3.0, -1.0, 1.0e300, 0x7FF0000000000000]> : tensor<4xf64>
  return
}

// -----

func.func @narrow_floats() {
  %operand = stablehlo.constant dense<[-1.5, 0.75, 3.25, 15.5]> : tensor<4xf8E3M4>
  %result = stablehlo.floor %operand : tensor<4xf8E3M4>
  check.expect_eq_const %result, dense<[-2.0, 0.0, 3.0, 15.0]> : tensor<4xf8E3M4>
  return
}
