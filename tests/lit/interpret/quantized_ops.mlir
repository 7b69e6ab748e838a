// RUN: stablehlo-translate --interpret --split-input-file %s

// 10.0 + 2.0, 0.0 + 0.0, 68.5 + 30.5 in units of 2.0: 49.5 is a tie and goes to even.
func.func @add_of_three_scales() {
  %lhs_storage = stablehlo.constant dense<[10, -10, 127]> : tensor<3xi8>
  %lhs = stablehlo.bitcast_convert %lhs_storage : (tensor<3xi8>) -> tensor<3x!quant.uniform<i8:f32, 0.5:-10>>
  %rhs_storage = stablehlo.constant dense<[13, 5, 127]> : tensor<3xi8>
  %rhs = stablehlo.bitcast_convert %rhs_storage : (tensor<3xi8>) -> tensor<3x!quant.uniform<i8:f32, 0.25:5>>
  %result = stablehlo.add %lhs, %rhs : (tensor<3x!quant.uniform<i8:f32, 0.5:-10>>, tensor<3x!quant.uniform<i8:f32, 0.25:5>>) -> tensor<3x!quant.uniform<i8:f32, 2.0>>
  %storage = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 2.0>>) -> tensor<3xi8>
  check.expect_eq_const %storage, dense<[6, 0, 50]> : tensor<3xi8>
  return
}

// -----

func.func @exponential_saturates() {
  %operand_storage = stablehlo.constant dense<[-10, 90]> : tensor<2xi8>
  %operand = stablehlo.bitcast_convert %operand_storage : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5:-10>>
  %result = stablehlo.exponential %operand : tensor<2x!quant.uniform<i8:f32, 0.5:-10>>
  %storage = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i8:f32, 0.5:-10>>) -> tensor<2xi8>
  check.expect_eq_const %storage, dense<[-8, 127]> : tensor<2xi8>
  return
}

// -----

func.func @compare_of_floats() {
  %lhs_storage = stablehlo.constant dense<[-10, 0]> : tensor<2xi8>
  %lhs = stablehlo.bitcast_convert %lhs_storage : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5:-10>>
  %rhs_storage = stablehlo.constant dense<[-9, -20]> : tensor<2xi8>
  %rhs = stablehlo.bitcast_convert %rhs_storage : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5:-10>>
  %result = stablehlo.compare LT, %lhs, %rhs : (tensor<2x!quant.uniform<i8:f32, 0.5:-10>>, tensor<2x!quant.uniform<i8:f32, 0.5:-10>>) -> tensor<2xi1>
  check.expect_eq_const %result, dense<[true, false]> : tensor<2xi1>
  return
}

// -----

func.func @select_requantizes() {
  %pred = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %on_true_storage = stablehlo.constant dense<[10, 10]> : tensor<2xi8>
  %on_true = stablehlo.bitcast_convert %on_true_storage : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5:-10>>
  %on_false_storage = stablehlo.constant dense<[20, 30]> : tensor<2xi8>
  %on_false = stablehlo.bitcast_convert %on_false_storage : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5:-10>>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<2xi1>, tensor<2x!quant.uniform<i8:f32, 0.5:-10>>
  %storage = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i8:f32, 0.5:-10>>) -> tensor<2xi8>
  check.expect_eq_const %storage, dense<[10, 30]> : tensor<2xi8>
  return
}

// -----

func.func @transpose_keeps_the_storage() {
  %operand_storage = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
  %operand = stablehlo.bitcast_convert %operand_storage : (tensor<2x2xi8>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:-10>>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x2x!quant.uniform<i8:f32, 0.5:-10>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:-10>>
  %storage = stablehlo.bitcast_convert %result : (tensor<2x2x!quant.uniform<i8:f32, 0.5:-10>>) -> tensor<2x2xi8>
  check.expect_eq_const %storage, dense<[[1, 3], [2, 4]]> : tensor<2x2xi8>
  return
}

// -----

// [1.0, 2.0] times [[1.0, 1.0], [3.0, 2.0]] is [7.0, 5.0].
func.func @dot_general_per_axis() {
  %lhs_storage = stablehlo.constant dense<[[-8, -6]]> : tensor<1x2xi8>
  %lhs = stablehlo.bitcast_convert %lhs_storage : (tensor<1x2xi8>) -> tensor<1x2x!quant.uniform<i8:f32, 0.5:-10>>
  %rhs_storage = stablehlo.constant dense<[[2, 4], [6, 8]]> : tensor<2x2xi8>
  %rhs = stablehlo.bitcast_convert %rhs_storage : (tensor<2x2xi8>) -> tensor<2x2x!quant.uniform<i8<-127:127>:f32:1, {0.5,0.25}>>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<1x2x!quant.uniform<i8:f32, 0.5:-10>>, tensor<2x2x!quant.uniform<i8<-127:127>:f32:1, {0.5,0.25}>>) -> tensor<1x2x!quant.uniform<i32:f32:1, {0.25,0.125}>>
  %storage = stablehlo.bitcast_convert %result : (tensor<1x2x!quant.uniform<i32:f32:1, {0.25,0.125}>>) -> tensor<1x2xi32>
  check.expect_eq_const %storage, dense<[[28, 40]]> : tensor<1x2xi32>
  return
}

// -----

func.func @dot_general_hybrid() {
  %lhs = stablehlo.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %rhs_storage = stablehlo.constant dense<[[2, 4], [6, 8]]> : tensor<2x2xi8>
  %rhs = stablehlo.bitcast_convert %rhs_storage : (tensor<2x2xi8>) -> tensor<2x2x!quant.uniform<i8<-127:127>:f32:1, {0.5,0.25}>>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<1x2xf32>, tensor<2x2x!quant.uniform<i8<-127:127>:f32:1, {0.5,0.25}>>) -> tensor<1x2xf32>
  check.expect_eq_const %result, dense<[[7.0, 5.0]]> : tensor<1x2xf32>
  return
}

// -----

// 1.0 + 2.0 + 3.0 is 6.0, which is stored as 2; the sum of the stored integers would be -28.
func.func @reduce_adds_floats() {
  %input_storage = stablehlo.constant dense<[-8, -6, -4]> : tensor<3xi8>
  %input = stablehlo.bitcast_convert %input_storage : (tensor<3xi8>) -> tensor<3x!quant.uniform<i8:f32, 0.5:-10>>
  %init_value_storage = stablehlo.constant dense<-10> : tensor<i8>
  %init_value = stablehlo.bitcast_convert %init_value_storage : (tensor<i8>) -> tensor<!quant.uniform<i8:f32, 0.5:-10>>
  %result = stablehlo.reduce(%input init: %init_value) applies stablehlo.add across dimensions = [0] : (tensor<3x!quant.uniform<i8:f32, 0.5:-10>>, tensor<!quant.uniform<i8:f32, 0.5:-10>>) -> tensor<!quant.uniform<i8:f32, 0.5:-10>>
  %storage = stablehlo.bitcast_convert %result : (tensor<!quant.uniform<i8:f32, 0.5:-10>>) -> tensor<i8>
  check.expect_eq_const %storage, dense<2> : tensor<i8>
  return
}
