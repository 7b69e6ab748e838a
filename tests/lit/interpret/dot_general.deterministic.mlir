// RUN: stablehlo-translate --interpret --deterministic --split-input-file %s

// Exact sums, rounded once: nothing of the ones is lost beside a number that vanishes.
func.func @floats() {
  %large = stablehlo.constant dense<1.0e30> : tensor<128x1xf32>
  %ones = stablehlo.constant dense<1.0> : tensor<128x126xf32>
  %opposite = stablehlo.negate %large : tensor<128x1xf32>
  %lhs = stablehlo.concatenate %large, %ones, %opposite, dim = 1 : (tensor<128x1xf32>, tensor<128x126xf32>, tensor<128x1xf32>) -> tensor<128x128xf32>
  %rhs = stablehlo.constant dense<1.0> : tensor<128x128xf32>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  check.expect_eq_const %result, dense<126.0> : tensor<128x128xf32>
  return
}

// -----

func.func @doubles() {
  %large = stablehlo.constant dense<1.0e300> : tensor<128x1xf64>
  %ones = stablehlo.constant dense<1.0> : tensor<128x126xf64>
  %opposite = stablehlo.negate %large : tensor<128x1xf64>
  %lhs = stablehlo.concatenate %large, %ones, %opposite, dim = 1 : (tensor<128x1xf64>, tensor<128x126xf64>, tensor<128x1xf64>) -> tensor<128x128xf64>
  %rhs = stablehlo.constant dense<1.0> : tensor<128x128xf64>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<128x128xf64>, tensor<128x128xf64>) -> tensor<128x128xf64>
  check.expect_eq_const %result, dense<126.0> : tensor<128x128xf64>
  return
}

// -----

func.func @halves() {
  %large = stablehlo.constant dense<1.0e30> : tensor<128x1xbf16>
  %ones = stablehlo.constant dense<1.0> : tensor<128x126xbf16>
  %opposite = stablehlo.negate %large : tensor<128x1xbf16>
  %lhs = stablehlo.concatenate %large, %ones, %opposite, dim = 1 : (tensor<128x1xbf16>, tensor<128x126xbf16>, tensor<128x1xbf16>) -> tensor<128x128xbf16>
  %rhs = stablehlo.constant dense<1.0> : tensor<128x128xbf16>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<128x128xbf16>, tensor<128x128xbf16>) -> tensor<128x128xbf16>
  check.expect_eq_const %result, dense<126.0> : tensor<128x128xbf16>
  return
}

// -----

func.func @complex_numbers() {
  %lhs = stablehlo.constant dense<(1.0, 1.0)> : tensor<128x128xcomplex<f64>>
  %rhs = stablehlo.constant dense<(0.0, 1.0)> : tensor<128x128xcomplex<f64>>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<128x128xcomplex<f64>>, tensor<128x128xcomplex<f64>>) -> tensor<128x128xcomplex<f64>>
  check.expect_eq_const %result, dense<(-128.0, 128.0)> : tensor<128x128xcomplex<f64>>
  return
}

// -----

func.func @infinities_and_nan() {
  %infinite = stablehlo.constant dense<0x7F800000> : tensor<128x1xf32>
  %ones = stablehlo.constant dense<1.0> : tensor<128x127xf32>
  %lhs = stablehlo.concatenate %infinite, %ones, dim = 1 : (tensor<128x1xf32>, tensor<128x127xf32>) -> tensor<128x128xf32>
  %rhs = stablehlo.constant dense<1.0> : tensor<128x128xf32>
  %sums = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  check.expect_eq_const %sums, dense<0x7F800000> : tensor<128x128xf32>
  %none = stablehlo.constant dense<0x7FC00000> : tensor<128x128xf32>
  %nothing = stablehlo.dot_general %none, %rhs, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  check.expect_almost_eq_const %nothing, dense<0x7FC00000> : tensor<128x128xf32>
  return
}
