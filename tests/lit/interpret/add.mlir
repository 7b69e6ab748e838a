// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %lhs = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %rhs = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %result = stablehlo.add %lhs, %rhs : tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[6, 8], [10, 12]]> : tensor<2x2xi32>
  return
}

// -----

func.func @booleans() {
  %lhs = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %rhs = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %result = stablehlo.add %lhs, %rhs : tensor<4xi1>
  check.expect_eq_const %result, dense<[false, true, true, true]> : tensor<4xi1>
  return
}

// -----

func.func @floats() {
  %lhs = stablehlo.constant dense<[0.25, 1.0e300, -1.5]> : tensor<3xf64>
  %rhs = stablehlo.constant dense<[0.5, 0x7FF0000000000000, 1.5]> : tensor<3xf64>
  %result = stablehlo.add %lhs, %rhs : tensor<3xf64>
  check.expect_eq_const %result, dense<[0.75, 0x7FF0000000000000, 0.0]> : tensor<3xf64>
  return
}

// -----

// Ties go to even: 1.0625 lies between 1.0 and 1.125, 17.0 between 16.0 and 18.0.
func.func @narrow_floats() {
  %lhs = stablehlo.constant dense<[1.0, 16.0, 0.125]> : tensor<3xf8E4M3FN>
  %rhs = stablehlo.constant dense<[0.0625, 1.0, 0.25]> : tensor<3xf8E4M3FN>
  %result = stablehlo.add %lhs, %rhs : tensor<3xf8E4M3FN>
  check.expect_eq_const %result, dense<[1.0, 16.0, 0.375]> : tensor<3xf8E4M3FN>
  return
}

// -----

func.func @complex_numbers() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5)]> : tensor<2xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(0.5, -2.0), (1.5, 0.25)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.add %lhs, %rhs : tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(1.5, 0.0), (0.0, 0.75)]> : tensor<2xcomplex<f64>>
  return
}

// -----

func.func @integers() {
  %lhs = stablehlo.constant dense<[9223372036854775807, -1, 0]> : tensor<3xi64>
  %rhs = stablehlo.constant dense<[-1, 1, -3]> : tensor<3xi64>
  %result = stablehlo.add %lhs, %rhs : tensor<3xi64>
  check.expect_eq_const %result, dense<[9223372036854775806, 0, -3]> : tensor<3xi64>
  return
}

// -----

func.func @narrow_integers() {
  %lhs = stablehlo.constant dense<[14, 7, 0]> : tensor<3xui4>
  %rhs = stablehlo.constant dense<[1, 8, 3]> : tensor<3xui4>
  %result = stablehlo.add %lhs, %rhs : tensor<3xui4>
  check.expect_eq_const %result, dense<[15, 15, 3]> : tensor<3xui4>
  return
}
