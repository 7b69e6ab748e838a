// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics --stablehlo-verify-spec
// RUN: stablehlo-opt %s --split-input-file -o %t

func.func @dynamic_conv_c2_gap(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>, %padding: tensor<2x2xi64>) {
  // expected-error@+1 {{breaks C2 (window_strides has an entry for each spatial dimension): window_strides is array<i64: 1>, dimension_numbers is #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    window_strides = array<i64: 1>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>, tensor<2x2xi64>) -> tensor<2x?x?x5xf32>
  return
}

// -----

func.func @dynamic_conv_c3_gap(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>, %padding: tensor<2x2xi64>) {
  // expected-error@+1 {{breaks C3 (strides are positive): window_strides is array<i64: 0, 1>}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    window_strides = array<i64: 0, 1>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>, tensor<2x2xi64>) -> tensor<2x?x?x5xf32>
  return
}

// -----

func.func @dynamic_conv_c5_gap(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>, %padding: tensor<2x2xi64>) {
  // expected-error@+1 {{breaks C5 (lhs_dilation has an entry for each spatial dimension): lhs_dilation is array<i64: 1>, dimension_numbers is #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    lhs_dilation = array<i64: 1>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>, tensor<2x2xi64>) -> tensor<2x?x?x5xf32>
  return
}

// -----

func.func @dynamic_conv_c6_gap(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>, %padding: tensor<2x2xi64>) {
  // expected-error@+1 {{breaks C6 (its entries are positive): lhs_dilation is array<i64: 1, 0>}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    lhs_dilation = array<i64: 1, 0>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>, tensor<2x2xi64>) -> tensor<2x?x?x5xf32>
  return
}

// -----

func.func @dynamic_conv_c7_gap(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>, %padding: tensor<2x2xi64>) {
  // expected-error@+1 {{breaks C7 (rhs_dilation has an entry for each spatial dimension): rhs_dilation is array<i64: 1, 1, 1>, dimension_numbers is #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    rhs_dilation = array<i64: 1, 1, 1>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>, tensor<2x2xi64>) -> tensor<2x?x?x5xf32>
  return
}

// -----

func.func @dynamic_conv_c8_gap(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>, %padding: tensor<2x2xi64>) {
  // expected-error@+1 {{breaks C8 (its entries are positive): rhs_dilation is array<i64: -1, 1>}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    rhs_dilation = array<i64: -1, 1>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>, tensor<2x2xi64>) -> tensor<2x?x?x5xf32>
  return
}

// -----

func.func @dynamic_conv_c9_gap(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>, %padding: tensor<2x2xi64>) {
  // expected-error@+1 {{breaks C9 (window_reversal has an entry for each spatial dimension): window_reversal is array<i1: true>, dimension_numbers is #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    window_reversal = array<i1: true>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>, tensor<2x2xi64>) -> tensor<2x?x?x5xf32>
  return
}

// -----

func.func @dynamic_conv_c24_gap(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>, %padding: tensor<2x2xi64>) {
  // expected-error@+1 {{breaks C24 (precision_config has an entry for each operand): precision_config is [#stablehlo<precision HIGH>]}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    precision_config = [#stablehlo<precision HIGH>]
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>, tensor<2x2xi64>) -> tensor<2x?x?x5xf32>
  return
}

// -----

func.func @dynamic_conv_c25_batch_gap(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>, %padding: tensor<2x2xi64>) {
  // expected-error@+1 {{breaks C25 (sizes of result: groups, output features, windows): dimension 0 of result 0 is declared 3, it is 2}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>, tensor<2x2xi64>) -> tensor<3x6x4x5xf32>
  return
}

// -----

func.func @dynamic_conv_c25_feature_gap(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>, %padding: tensor<2x2xi64>) {
  // expected-error@+1 {{breaks C25 (sizes of result: groups, output features, windows): dimension 3 of result 0 is declared 6, it is 5}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>, tensor<2x2xi64>) -> tensor<2x6x4x6xf32>
  return
}

// -----

func.func @dynamic_conv_c25_spatial_gap(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<2x2xi64>
  // expected-error@+1 {{breaks C25 (sizes of result: groups, output features, windows): dimension 1 of result 0 is declared 7, it is 6}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>, tensor<2x2xi64>) -> tensor<2x7x4x5xf32>
  return
}

// -----

func.func @dynamic_conv_c26_gap(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>, %padding: tensor<2x2xi64>) {
  // expected-error@+1 {{breaks C26 (result has the rank of lhs): result 0 is declared with rank 5, it has rank 4}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>, tensor<2x2xi64>) -> tensor<2x6x4x5x1xf32>
  return
}

// -----

// The result's element type is free, so that integers can be accumulated in a wider type.
func.func @dynamic_conv_c27_gap(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>, %padding: tensor<2x2xi64>) {
  // expected-error@+1 {{breaks C27 (one element type): lhs is tensor<2x8x6x4xf32>, rhs is tensor<3x3x4x5xf32>, result is tensor<2x?x?x5xf64>}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>, tensor<2x2xi64>) -> tensor<2x?x?x5xf64>
  return
}
