// RUN: stablehlo-translate --interpret --split-input-file %s

// Custom calls that stand for ops whose attributes are operands, as JAX exports them; each gives what its static op does.

module @reduce_window {
  func.func private @adder(%lhs: tensor<i64>, %rhs: tensor<i64>) -> tensor<i64> {
    %sum = stablehlo.add %lhs, %rhs : tensor<i64>
    return %sum : tensor<i64>
  }
  func.func @main() {
    %input = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
    %init_value = stablehlo.constant dense<0> : tensor<i64>
    %window_dimensions = stablehlo.constant dense<2> : tensor<1xi32>
    %window_strides = stablehlo.constant dense<1> : tensor<1xi32>
    %base_dilations = stablehlo.constant dense<1> : tensor<1xi32>
    %window_dilations = stablehlo.constant dense<2> : tensor<1xi32>
    %padding = stablehlo.constant dense<[[2, 0]]> : tensor<1x2xi32>
    %dynamic = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%input, %init_value, %window_dimensions,
        %window_strides, %base_dilations, %window_dilations, %padding) {
      api_version = 2 : i32, called_computations = [@adder]
    } : (tensor<4xi64>, tensor<i64>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>)
        -> tensor<4xi64>
    check.expect_eq_const %dynamic, dense<[1, 2, 4, 6]> : tensor<4xi64>
    return
  }
}

// -----

func.func @rng_bit_generator() {
  %initial_state = stablehlo.constant dense<[3, 5]> : tensor<2xui64>
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %state, %bits = stablehlo.rng_bit_generator %initial_state, algorithm = THREE_FRY
    : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui32>)
  %dynamic:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%initial_state, %shape) {
    api_version = 2 : i32, rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>
  } : (tensor<2xui64>, tensor<2xi64>) -> (tensor<2xui64>, tensor<2x3xui32>)
  check.expect_eq %dynamic#0, %state : tensor<2xui64>
  check.expect_eq %dynamic#1, %bits : tensor<2x3xui32>
  return
}

// -----

func.func @top_k() {
  %operand = stablehlo.constant dense<[[1.0, 3.0, 3.0, -1.0], [0.0, -0.0, 0xFF800000, 0x7FC00000]]> : tensor<2x4xf32>
  %k = stablehlo.constant dense<3> : tensor<i32>
  %dynamic:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%operand, %k) {api_version = 2 : i32}
    : (tensor<2x4xf32>, tensor<i32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  check.expect_almost_eq_const %dynamic#0, dense<[[3.0, 3.0, 1.0], [0x7FC00000, 0.0, -0.0]]> : tensor<2x3xf32>
  check.expect_eq_const %dynamic#1, dense<[[1, 2, 0], [3, 0, 1]]> : tensor<2x3xi32>
  return
}
