// RUN: stablehlo-translate --interpret --split-input-file %s

// Infinity, NaN, 0.0, 0.0, 65504.0, infinity.
func.func @spec_example() {
  %operand = stablehlo.constant dense<[0x7FF0000000000000, 0x7FFFFFFFFFFFFFFF, 0x0000000000000001, 0.0, 65519.0, 65520.0]> : tensor<6xf64>
  %output = stablehlo.reduce_precision %operand, format = e5m10 : tensor<6xf64>
  %bits = stablehlo.bitcast_convert %output : (tensor<6xf64>) -> tensor<6xi64>
  check.expect_eq_const %bits, dense<[0x7FF0000000000000, 0x7FFFFFFFFFFFFFFF, 0, 0, 0x40EFFC0000000000, 0x7FF0000000000000]> : tensor<6xi64>
  return
}

// -----

// Ties go to even: [1.0, 1.25, -1.125, 4.0].
func.func @mantissa() {
  %operand = stablehlo.constant dense<[1.0625, 1.1875, -1.1, 3.9375]> : tensor<4xf64>
  %result = stablehlo.reduce_precision %operand, format = e11m3 : tensor<4xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xf64>) -> tensor<4xi64>
  check.expect_eq_const %bits, dense<[0x3FF0000000000000, 0x3FF4000000000000, 0xBFF2000000000000, 0x4010000000000000]> : tensor<4xi64>
  return
}

// -----

// What is below the smallest normal number becomes zero.
func.func @exponent() {
  %operand = stablehlo.constant dense<[0.015625, 0.0078125, -0.0078125, 255.0, -256.0]> : tensor<5xf64>
  %result = stablehlo.reduce_precision %operand, format = e4m52 : tensor<5xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<5xf64>) -> tensor<5xi64>
  check.expect_eq_const %bits, dense<[0x3F90000000000000, 0, 0x8000000000000000, 0x406FE00000000000, 0xFFF0000000000000]> : tensor<5xi64>
  return
}

// -----

func.func @nothing_to_reduce() {
  %operand = stablehlo.constant dense<[1.5, 0x7F800001, 0x00000001]> : tensor<3xf32>
  %result = stablehlo.reduce_precision %operand, format = e8m23 : tensor<3xf32>
  %bits = stablehlo.bitcast_convert %result : (tensor<3xf32>) -> tensor<3xi32>
  check.expect_eq_const %bits, dense<[0x3FC00000, 0x7F800001, 1]> : tensor<3xi32>
  return
}

// -----

func.func @narrow_floats() {
  %operand = stablehlo.constant dense<[1.25, 1.75, -3.5, 448.0, 0.015625]> : tensor<5xf8E4M3>
  %output = stablehlo.reduce_precision %operand, format = e3m1 : tensor<5xf8E4M3>
  check.expect_eq_const %output, dense<[1.0, 2.0, -4.0, 0x78, 0.0]> : tensor<5xf8E4M3>
  return
}
