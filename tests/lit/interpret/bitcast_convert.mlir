// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<0x0123456789ABCDEF> : tensor<f64>
  %result = stablehlo.bitcast_convert %operand : (tensor<f64>) -> tensor<4xf16>
  check.expect_eq_const %result, dense<[0xCDEF, 0x89AB, 0x4567, 0x0123]> : tensor<4xf16>
  return
}

// -----

func.func @same_width() {
  %operand = stablehlo.constant dense<[1.0, -0.0, 0x7FC00001]> : tensor<3xf32>
  %result = stablehlo.bitcast_convert %operand : (tensor<3xf32>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[0x3F800000, 0x80000000, 0x7FC00001]> : tensor<3xi32>
  return
}

// -----

func.func @narrower_to_wider() {
  %operand = stablehlo.constant dense<[[0xEF, 0xCD], [0x01, 0x00]]> : tensor<2x2xui8>
  %result = stablehlo.bitcast_convert %operand : (tensor<2x2xui8>) -> tensor<2xui16>
  check.expect_eq_const %result, dense<[0xCDEF, 1]> : tensor<2xui16>
  return
}

// -----

func.func @wider_to_narrower() {
  %operand = stablehlo.constant dense<[0x1234, -1]> : tensor<2xi16>
  %result = stablehlo.bitcast_convert %operand : (tensor<2xi16>) -> tensor<2x2xi8>
  check.expect_eq_const %result, dense<[[0x34, 0x12], [-1, -1]]> : tensor<2x2xi8>
  return
}

// -----

func.func @half_bytes() {
  %operand = stablehlo.constant dense<[0x21, 0xF3]> : tensor<2xui8>
  %result = stablehlo.bitcast_convert %operand : (tensor<2xui8>) -> tensor<2x2xui4>
  check.expect_eq_const %result, dense<[[1, 2], [3, 15]]> : tensor<2x2xui4>
  return
}

// -----

func.func @half_bytes_to_bytes() {
  %operand = stablehlo.constant dense<[[1, 2], [3, -1]]> : tensor<2x2xi4>
  %result = stablehlo.bitcast_convert %operand : (tensor<2x2xi4>) -> tensor<2xi8>
  check.expect_eq_const %result, dense<[0x21, -13]> : tensor<2xi8>
  return
}

// -----

func.func @booleans_to_bytes() {
  %operand = stablehlo.constant dense<[true, false, true, false, false, false, false, true]> : tensor<8xi1>
  %result = stablehlo.bitcast_convert %operand : (tensor<8xi1>) -> tensor<ui8>
  check.expect_eq_const %result, dense<133> : tensor<ui8>
  return
}

// -----

func.func @complex_numbers() {
  %operand = stablehlo.constant dense<[(1.0, 2.0)]> : tensor<1xcomplex<f64>>
  %result = stablehlo.bitcast_convert %operand : (tensor<1xcomplex<f64>>) -> tensor<1xcomplex<f64>>
  check.expect_eq_const %result, dense<[(1.0, 2.0)]> : tensor<1xcomplex<f64>>
  return
}

// -----

func.func @narrow_floats() {
  %operand = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf8E4M3FN>
  %result = stablehlo.bitcast_convert %operand : (tensor<2xf8E4M3FN>) -> tensor<2xui8>
  check.expect_eq_const %result, dense<[0x38, 0xC0]> : tensor<2xui8>
  return
}
