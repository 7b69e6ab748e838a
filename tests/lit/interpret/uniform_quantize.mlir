// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[4.0, 15.0]> : tensor<2xf32>
  %result = stablehlo.uniform_quantize %operand : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32:0, {0.1:-30,0.5:-20}>>
  %storage = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i8:f32:0, {0.1:-30,0.5:-20}>>) -> tensor<2xi8>
  check.expect_eq_const %storage, dense<[10, 10]> : tensor<2xi8>
  return
}

// -----

func.func @spec_example_of_requantization() {
  %operand_storage = stablehlo.constant dense<[10, 10]> : tensor<2xi8>
  %operand = stablehlo.bitcast_convert %operand_storage : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32:0, {0.1:-30,0.5:-20}>>
  %result = stablehlo.uniform_quantize %operand : (tensor<2x!quant.uniform<i8:f32:0, {0.1:-30,0.5:-20}>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.1:-20,0.2:-30}>>
  %storage = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i8:f32:0, {0.1:-20,0.2:-30}>>) -> tensor<2xi8>
  check.expect_eq_const %storage, dense<[20, 45]> : tensor<2xi8>
  return
}

// -----

// Ties go to even; the storage has bounds of its own.
func.func @rounds_and_clamps() {
  %operand = stablehlo.constant dense<[0.0, 0.25, 0.75, 1000.0, -1000.0, 0x7F800000]> : tensor<6xf32>
  %result = stablehlo.uniform_quantize %operand : (tensor<6xf32>) -> tensor<6x!quant.uniform<u8<10:200>:f32, 0.5:100>>
  %storage = stablehlo.bitcast_convert %result : (tensor<6x!quant.uniform<u8<10:200>:f32, 0.5:100>>) -> tensor<6xui8>
  check.expect_eq_const %storage, dense<[100, 100, 102, 200, 10, 200]> : tensor<6xui8>
  return
}
