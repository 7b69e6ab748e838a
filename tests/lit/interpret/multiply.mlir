// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %lhs = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %rhs = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %result = stablehlo.multiply %lhs, %rhs : tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[5, 12], [21, 32]]> : tensor<2x2xi32>
  return
}

// -----

func.func @booleans() {
  %lhs = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %rhs = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %result = stablehlo.multiply %lhs, %rhs : tensor<4xi1>
  check.expect_eq_const %result, dense<[false, false, false, true]> : tensor<4xi1>
  return
}

// -----

func.func @floats() {
  %lhs = stablehlo.constant dense<[1.5, -0.5, 0.0, 1.0e200]> : tensor<4xf64>
  %rhs = stablehlo.constant dense<[2.0, 4.0, 0x7FF0000000000000, 1.0e200]> : tensor<4xf64>
  %result = stablehlo.multiply %lhs, %rhs : tensor<4xf64>
  check.expect_almost_eq_const %result, dense<[3.0, -2.0, 0x7FF8000000000000, 0x7FF0000000000000]> : tensor<4xf64>
  return
}

// -----

func.func @complex_numbers() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (0.0, 1.0)]> : tensor<2xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(3.0, -1.0), (0.0, 1.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.multiply %lhs, %rhs : tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(5.0, 5.0), (-1.0, 0.0)]> : tensor<2xcomplex<f64>>
  return
}

// -----

func.func @integers() {
  %lhs = stablehlo.constant dense<[4611686018427387904, -3]> : tensor<2xi64>
  %rhs = stablehlo.constant dense<[-2, 5]> : tensor<2xi64>
  %result = stablehlo.multiply %lhs, %rhs : tensor<2xi64>
  check.expect_eq_const %result, dense<[-9223372036854775808, -15]> : tensor<2xi64>
  return
}

// -----

func.func @narrow_integers() {
  %lhs = stablehlo.constant dense<[2, -2]> : tensor<2xi4>
  %rhs = stablehlo.constant dense<[3, 4]> : tensor<2xi4>
  %result = stablehlo.multiply %lhs, %rhs : tensor<2xi4>
  check.expect_eq_const %result, dense<[6, -8]> : tensor<2xi4>
  return
}
