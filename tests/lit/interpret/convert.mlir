// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[-1, 0, 1]> : tensor<3xi64>
  %result = stablehlo.convert %operand : (tensor<3xi64>) -> tensor<3xcomplex<f64>>
  check.expect_eq_const %result, dense<[(-1.0, 0.0), (0.0, 0.0), (1.0, 0.0)]> : tensor<3xcomplex<f64>>
  return
}

// -----

func.func @booleans_to_integers() {
  %operand = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %result = stablehlo.convert %operand : (tensor<2xi1>) -> tensor<2xi64>
  check.expect_eq_const %result, dense<[0, 1]> : tensor<2xi64>
  return
}

// -----

func.func @booleans_to_floats() {
  %operand = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %result = stablehlo.convert %operand : (tensor<2xi1>) -> tensor<2xf64>
  check.expect_eq_const %result, dense<[0.0, 1.0]> : tensor<2xf64>
  return
}

// -----

func.func @booleans_to_complex_numbers() {
  %operand = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %result = stablehlo.convert %operand : (tensor<2xi1>) -> tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(0.0, 0.0), (1.0, 0.0)]> : tensor<2xcomplex<f64>>
  return
}

// -----

func.func @integers_to_booleans() {
  %operand = stablehlo.constant dense<[0, -3, 1]> : tensor<3xi64>
  %result = stablehlo.convert %operand : (tensor<3xi64>) -> tensor<3xi1>
  check.expect_eq_const %result, dense<[false, true, true]> : tensor<3xi1>
  return
}

// -----

func.func @integers_to_wider_integers() {
  %operand = stablehlo.constant dense<[-1, 5, -128]> : tensor<3xi8>
  %result = stablehlo.convert %operand : (tensor<3xi8>) -> tensor<3xi64>
  check.expect_eq_const %result, dense<[-1, 5, -128]> : tensor<3xi64>
  return
}

// -----

func.func @unsigned_to_wider_integers() {
  %operand = stablehlo.constant dense<[255, 5, 128]> : tensor<3xui8>
  %result = stablehlo.convert %operand : (tensor<3xui8>) -> tensor<3xi64>
  check.expect_eq_const %result, dense<[255, 5, 128]> : tensor<3xi64>
  return
}

// -----

func.func @narrow_integers_to_integers() {
  %operand = stablehlo.constant dense<[-8, 7, -1]> : tensor<3xi4>
  %result = stablehlo.convert %operand : (tensor<3xi4>) -> tensor<3xi64>
  check.expect_eq_const %result, dense<[-8, 7, -1]> : tensor<3xi64>
  return
}

// -----

func.func @integers_to_floats() {
  %operand = stablehlo.constant dense<[-3, 0, 16777217]> : tensor<3xi64>
  %result = stablehlo.convert %operand : (tensor<3xi64>) -> tensor<3xf64>
  check.expect_eq_const %result, dense<[-3.0, 0.0, 16777217.0]> : tensor<3xf64>
  return
}

// -----

func.func @integers_to_narrow_floats() {
  %operand = stablehlo.constant dense<[-3, 0, 240]> : tensor<3xi64>
  %result = stablehlo.convert %operand : (tensor<3xi64>) -> tensor<3xf8E4M3FN>
  check.expect_eq_const %result, dense<[-3.0, 0.0, 240.0]> : tensor<3xf8E4M3FN>
  return
}

// -----

func.func @floats_to_booleans() {
  %operand = stablehlo.constant dense<[0.0, -0.0, 0.1, 0x7FF8000000000000]> : tensor<4xf64>
  %result = stablehlo.convert %operand : (tensor<4xf64>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[false, false, true, true]> : tensor<4xi1>
  return
}

// -----

// The fractional part is dropped.
func.func @floats_to_integers() {
  %operand = stablehlo.constant dense<[-2.9, 2.9, 0.0, -0.5]> : tensor<4xf64>
  %result = stablehlo.convert %operand : (tensor<4xf64>) -> tensor<4xi64>
  check.expect_eq_const %result, dense<[-2, 2, 0, 0]> : tensor<4xi64>
  return
}

// -----

func.func @floats_to_narrower_floats() {
  %operand = stablehlo.constant dense<[1.5, -0.375, 1.0e10]> : tensor<3xf64>
  %result = stablehlo.convert %operand : (tensor<3xf64>) -> tensor<3xf32>
  check.expect_eq_const %result, dense<[1.5, -0.375, 1.0e10]> : tensor<3xf32>
  return
}

// -----

func.func @narrow_floats_to_floats() {
  %operand = stablehlo.constant dense<[1.5, -0.375, 448.0]> : tensor<3xf8E4M3FN>
  %result = stablehlo.convert %operand : (tensor<3xf8E4M3FN>) -> tensor<3xf64>
  check.expect_eq_const %result, dense<[1.5, -0.375, 448.0]> : tensor<3xf64>
  return
}

// -----

func.func @floats_to_complex_numbers() {
  %operand = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf64>
  %result = stablehlo.convert %operand : (tensor<2xf64>) -> tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(1.5, 0.0), (-2.0, 0.0)]> : tensor<2xcomplex<f64>>
  return
}

// -----

func.func @complex_numbers_to_booleans() {
  %operand = stablehlo.constant dense<[(0.0, 1.0), (0.5, 0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.convert %operand : (tensor<2xcomplex<f64>>) -> tensor<2xi1>
  check.expect_eq_const %result, dense<[false, true]> : tensor<2xi1>
  return
}

// -----

func.func @complex_numbers_to_integers() {
  %operand = stablehlo.constant dense<[(2.5, 1.0), (-2.5, 0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.convert %operand : (tensor<2xcomplex<f64>>) -> tensor<2xi64>
  check.expect_eq_const %result, dense<[2, -2]> : tensor<2xi64>
  return
}

// -----

func.func @complex_numbers_to_floats() {
  %operand = stablehlo.constant dense<[(2.5, 1.0), (-2.5, 0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.convert %operand : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  check.expect_eq_const %result, dense<[2.5, -2.5]> : tensor<2xf64>
  return
}

// -----

func.func @complex_numbers_to_narrower_ones() {
  %operand = stablehlo.constant dense<[(2.5, 1.0), (-2.5, 0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.convert %operand : (tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(2.5, 1.0), (-2.5, 0.0)]> : tensor<2xcomplex<f32>>
  return
}

// -----

func.func @integers_to_narrow_integers() {
  %operand = stablehlo.constant dense<[-8, 7, 0]> : tensor<3xi64>
  %result = stablehlo.convert %operand : (tensor<3xi64>) -> tensor<3xi4>
  check.expect_eq_const %result, dense<[-8, 7, 0]> : tensor<3xi4>
  return
}

// -----

func.func @integers_to_half_precision() {
  %operand = stablehlo.constant dense<[-3, 2048, 0]> : tensor<3xi64>
  %result = stablehlo.convert %operand : (tensor<3xi64>) -> tensor<3xf16>
  check.expect_eq_const %result, dense<[-3.0, 2048.0, 0.0]> : tensor<3xf16>
  return
}

// -----

func.func @narrow_integers_to_floats() {
  %operand = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %result = stablehlo.convert %operand : (tensor<2xi4>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[-8.0, 7.0]> : tensor<2xf32>
  return
}

// -----

func.func @narrow_integers_to_narrow_floats() {
  %operand = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %result = stablehlo.convert %operand : (tensor<2xi4>) -> tensor<2xf8E5M2>
  check.expect_eq_const %result, dense<[-8.0, 7.0]> : tensor<2xf8E5M2>
  return
}

// -----

func.func @half_precision_to_integers() {
  %operand = stablehlo.constant dense<[-2.5, 2047.0]> : tensor<2xf16>
  %result = stablehlo.convert %operand : (tensor<2xf16>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[-2, 2047]> : tensor<2xi32>
  return
}

// -----

func.func @narrow_floats_to_narrow_integers() {
  %operand = stablehlo.constant dense<[15.0, 0.5]> : tensor<2xbf16>
  %result = stablehlo.convert %operand : (tensor<2xbf16>) -> tensor<2xui4>
  check.expect_eq_const %result, dense<[15, 0]> : tensor<2xui4>
  return
}

// -----

func.func @integers_to_the_widest_narrow_floats() {
  %operand = stablehlo.constant dense<[-3, 256]> : tensor<2xi32>
  %result = stablehlo.convert %operand : (tensor<2xi32>) -> tensor<2xbf16>
  check.expect_eq_const %result, dense<[-3.0, 256.0]> : tensor<2xbf16>
  return
}
