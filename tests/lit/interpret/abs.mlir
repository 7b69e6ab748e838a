// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[-2, 0, 2]> : tensor<3xi32>
  %result = stablehlo.abs %operand : tensor<3xi32>
  check.expect_eq_const %result, dense<[2, 0, 2]> : tensor<3xi32>
  return
}

// -----

func.func @integers() {
  %operand = stablehlo.constant dense<[-7, 0, -9223372036854775807]> : tensor<3xi64>
  %result = stablehlo.abs %operand : tensor<3xi64>
  check.expect_eq_const %result, dense<[7, 0, 9223372036854775807]> : tensor<3xi64>
  return
}

// -----

func.func @floats() {
  %operand = stablehlo.constant dense<[-1.5, -0.0, 0xFFF0000000000000]> : tensor<3xf64>
  %result = stablehlo.abs %operand : tensor<3xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<3xf64>) -> tensor<3xi64>
  check.expect_eq_const %bits, dense<[0x3FF8000000000000, 0, 0x7FF0000000000000]> : tensor<3xi64>
  return
}

// -----

func.func @complex_numbers() {
  %operand = stablehlo.constant dense<[(3.0, -4.0), (0.0, 0.0), (-5.0, 12.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.abs %operand : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
  check.expect_eq_const %result, dense<[5.0, 0.0, 13.0]> : tensor<3xf64>
  return
}

// -----

func.func @complex_numbers_of_floats() {
  %operand = stablehlo.constant dense<[(3.0, -4.0), (0.0, 0.0), (1.0e-40, 0.0)]> : tensor<3xcomplex<f32>>
  %result = stablehlo.abs %operand : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  check.expect_eq_const %result, dense<[5.0, 0.0, 1.0e-40]> : tensor<3xf32>
  return
}
