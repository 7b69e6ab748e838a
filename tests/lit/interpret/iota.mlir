// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %output = stablehlo.iota dim = 0 : tensor<4x5xi32>
  check.expect_eq_const %output, dense<[[0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [2, 2, 2, 2, 2], [3, 3, 3, 3, 3]]> : tensor<4x5xi32>
  return
}

// -----

func.func @spec_example_along_rows() {
  %output = stablehlo.iota dim = 1 : tensor<4x5xi32>
  check.expect_eq_const %output, dense<[[0, 1, 2, 3, 4], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4]]> : tensor<4x5xi32>
  return
}

// -----

func.func @middle_dimension() {
  %output = stablehlo.iota dim = 1 : tensor<2x3x1xi64>
  check.expect_eq_const %output, dense<[[[0], [1], [2]], [[0], [1], [2]]]> : tensor<2x3x1xi64>
  return
}

// -----

func.func @floats() {
  %output = stablehlo.iota dim = 0 : tensor<3xf64>
  check.expect_eq_const %output, dense<[0.0, 1.0, 2.0]> : tensor<3xf64>
  return
}

// -----

func.func @complex_numbers() {
  %output = stablehlo.iota dim = 0 : tensor<3xcomplex<f64>>
  check.expect_eq_const %output, dense<[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)]> : tensor<3xcomplex<f64>>
  return
}

// -----

func.func @quantized() {
  %output = stablehlo.iota dim = 0 : tensor<4x!quant.uniform<i8:f32, 0.5:-10>>
  %storage = stablehlo.bitcast_convert %output : (tensor<4x!quant.uniform<i8:f32, 0.5:-10>>) -> tensor<4xi8>
  check.expect_eq_const %storage, dense<[-10, -8, -6, -4]> : tensor<4xi8>
  return
}
