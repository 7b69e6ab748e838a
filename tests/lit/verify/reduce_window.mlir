// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @reduce_window(%inputs: tensor<4x6xf32>, %init_values: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 1, 2>
  } : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @reduce_window_c15_attributes(%inputs: tensor<4x6xf32>, %init_values: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 1, 2>,
    base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 3, 2>,
    padding = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>
  } : (tensor<4x6xf32>, tensor<f32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @reduce_window_c15_dynamic(%inputs: tensor<?x6xf32>, %init_values: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 1, 2>
  } : (tensor<?x6xf32>, tensor<f32>) -> tensor<?x3xf32>
  return
}

// -----

func.func @reduce_window_c15_bounded(%inputs: tensor<?x6xf32, #stablehlo.bounds<4, ?>>, %init_values: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 1, 2>
  } : (tensor<?x6xf32, #stablehlo.bounds<4, ?>>, tensor<f32>) -> tensor<?x3xf32, #stablehlo.bounds<3, ?>>
  return
}

// -----

// No window fits.
func.func @reduce_window_c15_empty(%inputs: tensor<1x6xf32>, %init_values: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 1, 2>
  } : (tensor<1x6xf32>, tensor<f32>) -> tensor<0x3xf32>
  return
}

// -----

func.func @reduce_window_c13_c16_promotion(%inputs: tensor<4x6xi8>, %init_values: tensor<i8>) {
  %0 = "stablehlo.reduce_window"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<i32>
      stablehlo.return %sum : tensor<i32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 1, 2>
  } : (tensor<4x6xi8>, tensor<i8>) -> tensor<3x3xi32>
  return
}

// -----

func.func @reduce_window_c1_several(%inputs0: tensor<4x6xf32>, %inputs1: tensor<4x6xi8>, %init_values0: tensor<f32>, %init_values1: tensor<i8>) {
  %0:2 = "stablehlo.reduce_window"(%inputs0, %inputs1, %init_values0, %init_values1) ({
    ^bb0(%a: tensor<f32>, %b: tensor<i8>, %c: tensor<f32>, %d: tensor<i8>):
      stablehlo.return %a, %d : tensor<f32>, tensor<i8>
  }) {
    window_dimensions = array<i64: 2, 1>
  } : (tensor<4x6xf32>, tensor<4x6xi8>, tensor<f32>, tensor<i8>) -> (tensor<3x6xf32>, tensor<3x6xi8>)
  return
}

// -----

func.func @reduce_window_c1() {
  // expected-error@+1 {{requires at least 1 input value}}
  "stablehlo.reduce_window"() ({
    ^bb0:
      stablehlo.return
  }) {window_dimensions = array<i64>} : () -> ()
  return
}

// -----

func.func @reduce_window_c1_sizes(%inputs: tensor<4xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{The shape of reduction-region's result type at index 0 differs from the op's corresponding init-value type: 'tensor<f32>' vs 'tensor<4xf32>'}}
  %0 = "stablehlo.reduce_window"(%inputs, %inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {window_dimensions = array<i64: 2>} : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @reduce_window_c2(%inputs0: tensor<4x6xf32>, %inputs1: tensor<4x7xi8>, %init_values0: tensor<f32>, %init_values1: tensor<i8>) {
  // expected-error@+1 {{expects all inputs to have compatible shapes. Shape at input-index 1 is not compatible with shape at input-index 0}}
  %0:2 = "stablehlo.reduce_window"(%inputs0, %inputs1, %init_values0, %init_values1) ({
    ^bb0(%a: tensor<f32>, %b: tensor<i8>, %c: tensor<f32>, %d: tensor<i8>):
      stablehlo.return %a, %d : tensor<f32>, tensor<i8>
  }) {
    window_dimensions = array<i64: 2, 1>
  } : (tensor<4x6xf32>, tensor<4x7xi8>, tensor<f32>, tensor<i8>) -> (tensor<3x6xf32>, tensor<3x6xi8>)
  return
}

// -----

func.func @reduce_window_c3(%inputs0: tensor<4x6xf32>, %inputs1: tensor<4x6xi8>, %init_values0: tensor<f32>, %init_values1: tensor<i16>) {
  // expected-error@+1 {{The element-type of reduction-region's result type at index 1 is expected to be promotable from the op's corresponding init-value element-type: 'tensor<i8>' vs 'tensor<i16>'}}
  %0:2 = "stablehlo.reduce_window"(%inputs0, %inputs1, %init_values0, %init_values1) ({
    ^bb0(%a: tensor<f32>, %b: tensor<i8>, %c: tensor<f32>, %d: tensor<i8>):
      stablehlo.return %a, %d : tensor<f32>, tensor<i8>
  }) {
    window_dimensions = array<i64: 2, 1>
  } : (tensor<4x6xf32>, tensor<4x6xi8>, tensor<f32>, tensor<i16>) -> (tensor<3x6xf32>, tensor<3x6xi8>)
  return
}

// -----

func.func @reduce_window_c4(%inputs: tensor<4x6xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{expects window-dimensions size == input rank, but got window-dimensions size: 1 and input: 'tensor<4x6xf32>' with rank = 2.}}
  %0 = "stablehlo.reduce_window"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2>
  } : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @reduce_window_c5(%inputs: tensor<4x6xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{expects window to have positive value for 1-th window dimension, but got 0.}}
  %0 = "stablehlo.reduce_window"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 0>,
    window_strides = array<i64: 1, 2>
  } : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @reduce_window_c6(%inputs: tensor<4x6xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{expects window-strides to have same dimension-size as size of window dimensions (2), but got: 1.}}
  %0 = "stablehlo.reduce_window"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 1>
  } : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @reduce_window_c7(%inputs: tensor<4x6xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{expects window to have positive stride for 1-th window dimension, but got 0.}}
  %0 = "stablehlo.reduce_window"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 1, 0>
  } : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @reduce_window_c8(%inputs: tensor<4x6xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{expects base-dilation factors to have same dimension-size as size of window dimensions (2), but got: 1.}}
  %0 = "stablehlo.reduce_window"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 1, 2>,
    base_dilations = array<i64: 1>
  } : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @reduce_window_c9(%inputs: tensor<4x6xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{expects window to have positive base dilation factor for 1-th window dimension, but got -2.}}
  %0 = "stablehlo.reduce_window"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 1, 2>,
    base_dilations = array<i64: 1, -2>
  } : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @reduce_window_c10(%inputs: tensor<4x6xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{expects window-dilation factors to have same dimension-size as size of window dimensions (2), but got: 3.}}
  %0 = "stablehlo.reduce_window"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 1, 2>,
    window_dilations = array<i64: 1, 1, 1>
  } : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @reduce_window_c11(%inputs: tensor<4x6xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{expects window to have positive window dilation factor for 0-th window dimension, but got 0.}}
  %0 = "stablehlo.reduce_window"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 1, 2>,
    window_dilations = array<i64: 0, 1>
  } : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @reduce_window_c12(%inputs: tensor<4x6xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{expects the shape of padding-attribute to be {N, 2}, but got {2, 3}.}}
  %0 = "stablehlo.reduce_window"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 1, 2>,
    padding = dense<0> : tensor<2x3xi64>
  } : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @reduce_window_c12_size(%inputs: tensor<4x6xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{expects padding-entries to have same dimension-size as size of window dimensions (2), but got: 3.}}
  %0 = "stablehlo.reduce_window"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 1, 2>,
    padding = dense<0> : tensor<3x2xi64>
  } : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @reduce_window_c13_arity(%inputs: tensor<4x6xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{Reduction-region must take 2 parameters, but takes 1 parameter(s)}}
  %0 = "stablehlo.reduce_window"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 1, 2>
  } : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @reduce_window_c13_result_type(%inputs: tensor<4x6xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{The type of reduction-region's parameter at index 0 is different than the corresponding result type: 'tensor<f32>' vs 'tensor<i32>'}}
  %0 = "stablehlo.reduce_window"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %integer = stablehlo.convert %lhs : (tensor<f32>) -> tensor<i32>
      stablehlo.return %integer : tensor<i32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 1, 2>
  } : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @reduce_window_c13_results(%inputs: tensor<4x6xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{Reduction-region here must produce 1 tensors, but produces 2 instead}}
  %0 = "stablehlo.reduce_window"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs, %rhs : tensor<f32>, tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 1, 2>
  } : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @reduce_window_c13_promotion(%inputs: tensor<4x6xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{The element-type of reduction-region's result type at index 0 is expected to be promotable from the op's corresponding init-value element-type: 'tensor<i32>' vs 'tensor<f32>'}}
  %0 = "stablehlo.reduce_window"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<i32>
      stablehlo.return %sum : tensor<i32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 1, 2>
  } : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x3xi32>
  return
}

// -----

func.func @reduce_window_c14(%inputs0: tensor<4x6xf32>, %inputs1: tensor<4x6xi8>, %init_values0: tensor<f32>, %init_values1: tensor<i8>) {
  // expected-error@+2 {{inferred type(s) 'tensor<3x6xf32>', 'tensor<3x6xi8>' are incompatible with return type(s) of operation 'tensor<3x6xf32>', 'tensor<3x5xi8>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = "stablehlo.reduce_window"(%inputs0, %inputs1, %init_values0, %init_values1) ({
    ^bb0(%a: tensor<f32>, %b: tensor<i8>, %c: tensor<f32>, %d: tensor<i8>):
      stablehlo.return %a, %d : tensor<f32>, tensor<i8>
  }) {
    window_dimensions = array<i64: 2, 1>
  } : (tensor<4x6xf32>, tensor<4x6xi8>, tensor<f32>, tensor<i8>) -> (tensor<3x6xf32>, tensor<3x5xi8>)
  return
}

// -----

func.func @reduce_window_c15(%inputs: tensor<4x6xf32>, %init_values: tensor<f32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<3x3xf32>' are incompatible with return type(s) of operation 'tensor<3x4xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.reduce_window"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 1, 2>
  } : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @reduce_window_c15_rank(%inputs: tensor<4x6xf32>, %init_values: tensor<f32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<3x3xf32>' are incompatible with return type(s) of operation 'tensor<9xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.reduce_window"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 1, 2>
  } : (tensor<4x6xf32>, tensor<f32>) -> tensor<9xf32>
  return
}

// -----

func.func @reduce_window_c16(%inputs: tensor<4x6xf32>, %init_values: tensor<f32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<3x3xf32>' are incompatible with return type(s) of operation 'tensor<3x3xf64>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.reduce_window"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 1, 2>
  } : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x3xf64>
  return
}
