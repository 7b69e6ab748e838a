// The verifier of dynamic_conv looks at attributes only where padding is a constant: the interpreter names the others.
// RUN: not stablehlo-translate --interpret --split-input-file %s 2>&1 | FileCheck %s

// CHECK: dynamic_conv_constraints.mlir:[[# @LINE + 6]]:13: error: 'stablehlo.dynamic_conv' op has 1 window_strides, expected 2 (C2)
func.func @window_strides_c2() {
  %lhs = stablehlo.constant dense<1.0> : tensor<1x4x4x1xf32>
  %rhs = stablehlo.constant dense<1.0> : tensor<2x2x1x1xf32>
  %zeros = stablehlo.constant dense<0> : tensor<2x2xi64>
  %padding = stablehlo.optimization_barrier %zeros : tensor<2x2xi64>
  %result = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, window_strides = array<i64: 1>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<1x4x4x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2xi64>) -> tensor<1x?x?x1xf32>
  return
}

// -----

// CHECK: error: 'stablehlo.dynamic_conv' op has lhs_dilation [0], expected positive numbers (C6)
func.func @lhs_dilation_c6() {
  %lhs = stablehlo.constant dense<1.0> : tensor<1x4x1xf32>
  %rhs = stablehlo.constant dense<1.0> : tensor<2x1x1xf32>
  %zeros = stablehlo.constant dense<0> : tensor<1x2xi64>
  %padding = stablehlo.optimization_barrier %zeros : tensor<1x2xi64>
  %result = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, lhs_dilation = array<i64: 0>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<1x4x1xf32>, tensor<2x1x1xf32>, tensor<1x2xi64>) -> tensor<1x?x1xf32>
  return
}

// -----

// CHECK: error: 'stablehlo.dynamic_conv' op lhs has 3 features, the kernel takes 2 in each of 1 groups
func.func @features_c14() {
  %lhs = stablehlo.constant dense<1.0> : tensor<1x4x3xf32>
  %rhs = stablehlo.constant dense<1.0> : tensor<2x2x1xf32>
  %lhs_dynamic = stablehlo.convert %lhs : (tensor<1x4x3xf32>) -> tensor<1x4x?xf32>
  %zeros = stablehlo.constant dense<0> : tensor<1x2xi64>
  %padding = stablehlo.optimization_barrier %zeros : tensor<1x2xi64>
  %result = "stablehlo.dynamic_conv"(%lhs_dynamic, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<1x4x?xf32>, tensor<2x2x1xf32>, tensor<1x2xi64>) -> tensor<1x?x1xf32>
  return
}
