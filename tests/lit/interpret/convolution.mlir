// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %lhs = stablehlo.constant dense<[[
    [[1], [2], [5], [6]], [[3], [4], [7], [8]], [[10], [11], [14], [15]], [[12], [13], [16], [17]]
  ]]> : tensor<1x4x4x1xi64>
  %rhs = stablehlo.constant dense<1> : tensor<3x3x1x1xi64>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {stride = [4, 4], lhs_dilate = [2, 2]} {
      batch_group_count = 1 : i64, feature_group_count = 1 : i64
    } : (tensor<1x4x4x1xi64>, tensor<3x3x1x1xi64>) -> tensor<1x2x2x1xi64>
  check.expect_eq_const %result, dense<[[[[10], [26]], [[46], [62]]]]> : tensor<1x2x2x1xi64>
  return
}

// -----

func.func @padding_dilation_and_reversal() {
  %lhs = stablehlo.constant dense<[[[1.0, 2.0, 3.0]]]> : tensor<1x1x3xf64>
  %rhs = stablehlo.constant dense<[[[10.0, 1.0]]]> : tensor<1x1x2xf64>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0],
    window = {pad = [[2, -1]], rhs_dilate = [2], reverse = [true]} {
      batch_group_count = 1 : i64, feature_group_count = 1 : i64
    } : (tensor<1x1x3xf64>, tensor<1x1x2xf64>) -> tensor<1x1x2xf64>
  check.expect_eq_const %result, dense<[[[10.0, 20.0]]]> : tensor<1x1x2xf64>
  return
}

// -----

func.func @feature_groups() {
  %lhs = stablehlo.constant dense<[[[1, 2, 3, 4]]]> : tensor<1x1x4xi64>
  %rhs = stablehlo.constant dense<[[[1, 10], [100, 1000]]]> : tensor<1x2x2xi64>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {
      batch_group_count = 1 : i64, feature_group_count = 2 : i64
    } : (tensor<1x1x4xi64>, tensor<1x2x2xi64>) -> tensor<1x1x2xi64>
  check.expect_eq_const %result, dense<[[[201, 4030]]]> : tensor<1x1x2xi64>
  return
}

// -----

func.func @batch_groups() {
  %lhs = stablehlo.constant dense<[[[1]], [[2]], [[3]], [[4]]]> : tensor<4x1x1xi64>
  %rhs = stablehlo.constant dense<[[[1, 10]]]> : tensor<1x1x2xi64>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {
      batch_group_count = 2 : i64, feature_group_count = 1 : i64
    } : (tensor<4x1x1xi64>, tensor<1x1x2xi64>) -> tensor<2x1x2xi64>
  check.expect_eq_const %result, dense<[[[1, 30]], [[2, 40]]]> : tensor<2x1x2xi64>
  return
}

// -----

// More windows than are made at once: each result is the sum of 72 ones.
func.func @many_windows() {
  %lhs = stablehlo.constant dense<1.0> : tensor<2x64x64x8xf32>
  %rhs = stablehlo.constant dense<1.0> : tensor<3x3x8x1xf32>
  %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
    {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x64x64x8xf32>, tensor<3x3x8x1xf32>) -> tensor<2x62x62x1xf32>
  check.expect_eq_const %result, dense<72.0> : tensor<2x62x62x1xf32>
  return
}
