// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @convolution(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c10_c15(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x6xf32>) {
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 2 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x4x6xf32>
  return
}

// -----

func.func @convolution_c11_c14_c16(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x2x6xf32>) {
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 2 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x2x6xf32>) -> tensor<2x6x4x6xf32>
  return
}

// -----

// Strides, padding and both dilations.
func.func @convolution_c25_window(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    window_strides = array<i64: 2, 1>,
    lhs_dilation = array<i64: 1, 2>,
    rhs_dilation = array<i64: 2, 1>,
    window_reversal = array<i1: true, false>,
    padding = dense<[[1, 1], [0, 2]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x3x11x5xf32>
  return
}

// -----

func.func @convolution_c25_dynamic(%lhs: tensor<?x8x?x4xf32>, %rhs: tensor<3x3x4x?xf32>) {
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<?x8x?x4xf32>, tensor<3x3x4x?xf32>) -> tensor<?x6x?x?xf32>
  return
}

// -----

func.func @convolution_c25_bounded(%lhs: tensor<?x8x6x4xf32, #stablehlo.bounds<2, ?, ?, ?>>, %rhs: tensor<3x3x4x5xf32>) {
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<?x8x6x4xf32, #stablehlo.bounds<2, ?, ?, ?>>, tensor<3x3x4x5xf32>) -> tensor<?x6x4x5xf32, #stablehlo.bounds<2, ?, ?, ?>>
  return
}

// -----

// A window larger than what it slides over fits nowhere.
func.func @convolution_c25_empty_window(%lhs: tensor<2x2x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x2x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x0x4x5xf32>
  return
}

// -----

func.func @convolution_c24(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>,
    precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGHEST>]
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c28_c31_c32_c33(%lhs: tensor<2x8x6x4x!quant.uniform<i8:f32, 0.5:3>>, %rhs: tensor<3x3x4x5x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x3x4x5x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x6x4x5x!quant.uniform<i32:f32, 0.25>>
  return
}

// -----

func.func @convolution_c29_c30(%lhs: tensor<2x8x6x4x!quant.uniform<i8:f32, 0.5:3>>, %rhs: tensor<3x3x4x5x!quant.uniform<i8:f32:3, {0.5, 0.25, 0.5, 0.25, 0.5}>>) {
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x3x4x5x!quant.uniform<i8:f32:3, {0.5, 0.25, 0.5, 0.25, 0.5}>>) -> tensor<2x6x4x5x!quant.uniform<i32:f32:3, {0.5, 0.25, 0.5, 0.25, 0.5}>>
  return
}

// -----

// A hybrid convolution: only the kernel is quantized.
func.func @convolution_c34(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c1(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x4x5xf32>) {
  // expected-error@+1 {{expects convolution arguments to have same number of dimensions. Got: 'tensor<2x8x6x4xf32>' and 'tensor<3x4x5xf32>'.}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x4x5xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c1_rank(%lhs: tensor<8xf32>, %rhs: tensor<8xf32>) {
  // expected-error@+1 {{expects convolution arguments to have >= 2 dimensions. Got: 'tensor<8xf32>' and 'tensor<8xf32>'.}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @convolution_c1_dimension_numbers(%lhs: tensor<2x8x4x7xf32>, %rhs: tensor<3x4x5x7xf32>) {
  // expected-error@+1 {{expects convolution arguments to have 3 dimensions. Got: 4}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x4x7xf32>, tensor<3x4x5x7xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c2(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{expects window-strides to have same dimension-size as size of window dimensions (2), but got: 1.}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    window_strides = array<i64: 1>,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c3(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{expects window to have positive stride for 0-th window dimension, but got 0.}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    window_strides = array<i64: 0, 1>,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c4(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{expects the shape of padding-attribute to be {N, 2}, but got {2, 3}.}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<0> : tensor<2x3xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c4_size(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{expects padding-entries to have same dimension-size as size of window dimensions (2), but got: 3.}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<0> : tensor<3x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c5(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{expects base-dilation factors to have same dimension-size as size of window dimensions (2), but got: 1.}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    lhs_dilation = array<i64: 1>,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c6(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{expects window to have positive base dilation factor for 1-th window dimension, but got 0.}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    lhs_dilation = array<i64: 1, 0>,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c7(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{expects window-dilation factors to have same dimension-size as size of window dimensions (2), but got: 3.}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    rhs_dilation = array<i64: 1, 1, 1>,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c8(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{expects window to have positive window dilation factor for 0-th window dimension, but got -1.}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    rhs_dilation = array<i64: -1, 1>,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c9(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{expects window-reversal to have same dimension-size as size of window dimensions (2), but got: 1.}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    window_reversal = array<i1: true>,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c10(%lhs: tensor<3x8x6x4xf32>, %rhs: tensor<3x3x4x6xf32>) {
  // expected-error@+1 {{expects input batch dimension (3) to be divisible by batch_group_count. Got batch_group_count = 2.}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 2 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<3x8x6x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c11(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x6xf32>) {
  // expected-error@+1 {{expects input feature dimension (4) to be a multiple of feature_group_count. Got feature_group_count = 3.}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 3 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c12_c17(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{expects the same size for input, kernel and output spatial-dimensions, but got 2, 1, and 2 resp.}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2],
      kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0],
      output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]
    >,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c19(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{expects the same size for input, kernel and output spatial-dimensions, but got 2, 2, and 1 resp.}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2],
      kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1],
      output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1]
    >,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c13_unique(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{expects input dimension-numbers to be unique, got {0, 1, 1, 2}.}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [1, 2],
      kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1],
      output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]
    >,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c13_range(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{expects input, kernel, and output dimension-numbers to be in-range [0, 4).}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 4, input_spatial_dimensions = [1, 2],
      kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1],
      output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]
    >,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c13_negative(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{expects input, kernel, and output dimension-numbers to be in-range [0, 4).}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = -1, input_feature_dimension = 3, input_spatial_dimensions = [1, 2],
      kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1],
      output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]
    >,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c14(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x3x5xf32>) {
  // expected-error@+1 {{expects input feature dimension (4) / feature_group_count = kernel input feature dimension (3). Got feature_group_count = 1.}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x3x5xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c15(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{expects output feature dimension size (5) to be a multiple of batch_group_count. Got batch_group_count = 2.}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 2 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c16(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x2x5xf32>) {
  // expected-error@+1 {{expects kernel output feature dimension (5) to be divisible by feature_group_count. For feature_group_count = 2.}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 2 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x2x5xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c18_unique(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{expects kernel dimension-numbers to be unique, got {2, 2, 0, 1}.}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2],
      kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0, 1],
      output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]
    >,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c18_range(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{expects input, kernel, and output dimension-numbers to be in-range [0, 4).}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2],
      kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 7],
      output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]
    >,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c20_unique(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{expects output dimension-numbers to be unique, got {0, 1, 1, 2}.}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2],
      kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1],
      output_batch_dimension = 0, output_feature_dimension = 1, output_spatial_dimensions = [1, 2]
    >,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c20_range(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{expects input, kernel, and output dimension-numbers to be in-range [0, 4).}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2],
      kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1],
      output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 5]
    >,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c21(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{attribute 'feature_group_count' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 0 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c22(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{attribute 'batch_group_count' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = -1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c23(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x2x6xf32>) {
  // expected-error@+1 {{expects batch_group_count and feature_group_count not to be both greater than 1. Got 2 and 2 resp.}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 2 : i64,
    batch_group_count = 2 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x2x6xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c24_invalid(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{expects precision config to be empty or have <= 2 elements}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>,
    precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>, #stablehlo<precision HIGH>]
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c25_batch(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{inferred shape '[2, 6, 4, 5]' is incompatible with return type of operation 'tensor<3x6x4x5xf32>'}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<3x6x4x5xf32>
  return
}

// -----

func.func @convolution_c25_feature(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{inferred shape '[2, 6, 4, 5]' is incompatible with return type of operation 'tensor<2x6x4x6xf32>'}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x6xf32>
  return
}

// -----

func.func @convolution_c25_spatial(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{inferred shape '[2, 6, 4, 5]' is incompatible with return type of operation 'tensor<2x7x4x5xf32>'}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x7x4x5xf32>
  return
}

// -----

func.func @convolution_c26(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{inferred shape '[2, 6, 4, 5]' is incompatible with return type of operation 'tensor<2x6x4x5x1xf32>'}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5x1xf32>
  return
}

// -----

func.func @convolution_c27(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf64>) {
  // expected-error@+1 {{expects lhs and rhs to have compatible element type. Got: 'f32' and 'f64'}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf64>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c28(%lhs: tensor<2x8x6x4x!quant.uniform<i8:f32, 0.5:3>>, %rhs: tensor<3x3x4x5xf32>) {
  // expected-error@+1 {{rhs should be quantized for quantized operations and is_quantized(lhs)=is_quantized(result) should hold}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5x!quant.uniform<i32:f32, 0.25>>
  return
}

// -----

func.func @convolution_c28_result(%lhs: tensor<2x8x6x4x!quant.uniform<i8:f32, 0.5:3>>, %rhs: tensor<3x3x4x5x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{rhs should be quantized for quantized operations and is_quantized(lhs)=is_quantized(result) should hold}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x3x4x5x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x6x4x5xf32>
  return
}

// -----

func.func @convolution_c29(%lhs: tensor<2x8x6x4x!quant.uniform<i8:f32, 0.5:3>>, %rhs: tensor<3x3x4x5x!quant.uniform<i8:f32:0, {0.5, 0.25, 0.5}>>) {
  // expected-error@+1 {{quantization dimension of rhs should be same with kernel_output_feature_dimension}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x3x4x5x!quant.uniform<i8:f32:0, {0.5, 0.25, 0.5}>>) -> tensor<2x6x4x5x!quant.uniform<i32:f32, 0.25>>
  return
}

// -----

func.func @convolution_c30(%lhs: tensor<2x8x6x4x!quant.uniform<i8:f32, 0.5:3>>, %rhs: tensor<3x3x4x5x!quant.uniform<i8:f32:3, {0.5, 0.25, 0.5, 0.25, 0.5}>>) {
  // expected-error@+1 {{quantization dimension of result should be same with output_feature_dimension}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x3x4x5x!quant.uniform<i8:f32:3, {0.5, 0.25, 0.5, 0.25, 0.5}>>) -> tensor<2x6x4x5x!quant.uniform<i32:f32:0, {0.5, 0.25}>>
  return
}

// -----

func.func @convolution_c31(%lhs: tensor<2x8x6x4x!quant.uniform<i8:f32, 0.5:3>>, %rhs: tensor<3x3x4x5x!quant.uniform<i4:f32, 0.5>>) {
  // expected-error@+1 {{mismatched lhs and rhs quantization storage types}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x3x4x5x!quant.uniform<i4:f32, 0.5>>) -> tensor<2x6x4x5x!quant.uniform<i32:f32, 0.25>>
  return
}

// -----

func.func @convolution_c32(%lhs: tensor<2x8x6x4x!quant.uniform<i8:f32, 0.5:3>>, %rhs: tensor<3x3x4x5x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{mismatched lhs, rhs and result quantization expressed types}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x3x4x5x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x6x4x5x!quant.uniform<i32:f16, 0.25>>
  return
}

// -----

func.func @convolution_c33(%lhs: tensor<2x8x6x4x!quant.uniform<i8:f32, 0.5:3>>, %rhs: tensor<3x3x4x5x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{mismatched rhs and result quantization granularity}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x3x4x5x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x6x4x5x!quant.uniform<i32:f32:3, {0.5, 0.25, 0.5, 0.25, 0.5}>>
  return
}

// -----

func.func @convolution_c34_invalid(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5x!quant.uniform<i8:f64, 0.5>>) {
  // expected-error@+1 {{mismatched rhs quantization expressed type and lhs and result element type}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5x!quant.uniform<i8:f64, 0.5>>) -> tensor<2x6x4x5xf32>
  return
}
