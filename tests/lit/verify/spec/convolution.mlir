// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics --stablehlo-verify-spec
// RUN: stablehlo-opt %s --split-input-file -o %t

func.func @convolution_c24_gap(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{breaks C24 (precision_config has an entry for each operand): precision_config is [#stablehlo<precision HIGH>]}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>,
    precision_config = [#stablehlo<precision HIGH>]
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

// The result's element type is free, so that integers can be accumulated in a wider type.
func.func @convolution_c27_gap(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{breaks C27 (one element type): lhs is tensor<2x8x6x4xf32>, rhs is tensor<3x3x4x5xf32>, result is tensor<2x6x4x5xf64>}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5xf64>
  return
}
