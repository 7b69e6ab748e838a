// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.imag %operand : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[2.0, 4.0]> : tensor<2xf32>
  return
}

// -----

func.func @complex_numbers() {
  %operand = stablehlo.constant dense<[(1.5, -2.0), (-0.25, 4.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.imag %operand : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  check.expect_eq_const %result, dense<[-2.0, 4.0]> : tensor<2xf64>
  return
}

// -----

func.func @floats() {
  %operand = stablehlo.constant dense<[1.5, 0x7FF8000000000000]> : tensor<2xf64>
  %result = stablehlo.imag %operand : tensor<2xf64>
  check.expect_eq_const %result, dense<0.0> : tensor<2xf64>
  return
}
