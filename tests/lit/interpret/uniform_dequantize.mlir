// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand_storage = stablehlo.constant dense<[10, 10]> : tensor<2xi8>
  %operand = stablehlo.bitcast_convert %operand_storage : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32:0, {0.1:-30,0.5:-20}>>
  %result = stablehlo.uniform_dequantize %operand : (tensor<2x!quant.uniform<i8:f32:0, {0.1:-30,0.5:-20}>>) -> tensor<2xf32>
  check.expect_almost_eq_const %result, dense<[4.0, 15.0]> : tensor<2xf32>
  return
}

// -----

func.func @farthest_from_the_zero_point() {
  %operand_storage = stablehlo.constant dense<[127, -128]> : tensor<2xi8>
  %operand = stablehlo.bitcast_convert %operand_storage : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f64, 0.5:-128>>
  %result = stablehlo.uniform_dequantize %operand : (tensor<2x!quant.uniform<i8:f64, 0.5:-128>>) -> tensor<2xf64>
  check.expect_eq_const %result, dense<[127.5, 0.0]> : tensor<2xf64>
  return
}
