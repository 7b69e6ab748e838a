// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @select_and_scatter(%operand: tensor<6x4xf32>, %source: tensor<3x2xf32>, %init_value: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %larger = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %larger : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 2, 2>
  } : (tensor<6x4xf32>, tensor<3x2xf32>, tensor<f32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @select_and_scatter_c2_padding(%operand: tensor<6x4xf32>, %source: tensor<4x2xf32>, %init_value: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %larger = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %larger : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 2, 2>,
    padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<6x4xf32>, tensor<4x2xf32>, tensor<f32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @select_and_scatter_c2_dynamic(%operand: tensor<?x4xf32>, %source: tensor<3x?xf32>, %init_value: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %larger = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %larger : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 2, 2>
  } : (tensor<?x4xf32>, tensor<3x?xf32>, tensor<f32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @select_and_scatter_c11_bounded(%operand: tensor<?x4xf32, #stablehlo.bounds<6, ?>>, %source: tensor<?x2xf32, #stablehlo.bounds<3, ?>>, %init_value: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %larger = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %larger : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 2, 2>
  } : (tensor<?x4xf32, #stablehlo.bounds<6, ?>>, tensor<?x2xf32, #stablehlo.bounds<3, ?>>, tensor<f32>) -> tensor<?x4xf32, #stablehlo.bounds<6, ?>>
  return
}

// -----

func.func @select_and_scatter_c10_c12_promotion(%operand: tensor<6x4xf32>, %source: tensor<3x2xf32>, %init_value: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %larger = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %larger : tensor<i1>
  }, {
    ^bb0(%a: tensor<f64>, %b: tensor<f64>):
      %sum = stablehlo.add %a, %b : tensor<f64>
      stablehlo.return %sum : tensor<f64>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 2, 2>
  } : (tensor<6x4xf32>, tensor<3x2xf32>, tensor<f32>) -> tensor<6x4xf64>
  return
}

// -----

func.func @select_and_scatter_c1(%operand: tensor<6x4xf32>, %source: tensor<3x2xi32>, %init_value: tensor<f32>) {
  // expected-error@+1 {{The element-type of reduction-region's argument at index 1 is expected to be promotable from 'i32', but got 'f32'}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %larger = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %larger : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 2, 2>
  } : (tensor<6x4xf32>, tensor<3x2xi32>, tensor<f32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @select_and_scatter_c2(%operand: tensor<6x4xf32>, %source: tensor<3x3xf32>, %init_value: tensor<f32>) {
  // expected-error@+1 {{expects source-type to be 'tensor<3x2xf32>', but got'tensor<3x3xf32>'}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %larger = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %larger : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 2, 2>
  } : (tensor<6x4xf32>, tensor<3x3xf32>, tensor<f32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @select_and_scatter_c3(%operand: tensor<6x4xf32>, %source: tensor<3x2xf32>, %init_value: tensor<i32>) {
  // expected-error@+1 {{The element-type of reduction-region's result type at index 0 is expected to be promotable from the op's corresponding init-value element-type: 'tensor<f32>' vs 'tensor<i32>'}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %larger = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %larger : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 2, 2>
  } : (tensor<6x4xf32>, tensor<3x2xf32>, tensor<i32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @select_and_scatter_c4(%operand: tensor<6x4xf32>, %source: tensor<3x2xf32>, %init_value: tensor<f32>) {
  // expected-error@+1 {{expects window-dimensions size == operand rank, but got window-dimensions size: 1 and operand-type: 'tensor<6x4xf32>' with rank = 2.}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %larger = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %larger : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2>,
    window_strides = array<i64: 2, 2>
  } : (tensor<6x4xf32>, tensor<3x2xf32>, tensor<f32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @select_and_scatter_c5(%operand: tensor<6x4xf32>, %source: tensor<3x2xf32>, %init_value: tensor<f32>) {
  // expected-error@+1 {{expects window to have positive value for 1-th window dimension, but got 0.}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %larger = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %larger : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 0>,
    window_strides = array<i64: 2, 2>
  } : (tensor<6x4xf32>, tensor<3x2xf32>, tensor<f32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @select_and_scatter_c6(%operand: tensor<6x4xf32>, %source: tensor<3x2xf32>, %init_value: tensor<f32>) {
  // expected-error@+1 {{expects window-strides to have same dimension-size as size of window dimensions (2), but got: 1.}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %larger = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %larger : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 2>
  } : (tensor<6x4xf32>, tensor<3x2xf32>, tensor<f32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @select_and_scatter_c7(%operand: tensor<6x4xf32>, %source: tensor<3x2xf32>, %init_value: tensor<f32>) {
  // expected-error@+1 {{expects window to have positive stride for 0-th window dimension, but got 0.}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %larger = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %larger : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 0, 2>
  } : (tensor<6x4xf32>, tensor<3x2xf32>, tensor<f32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @select_and_scatter_c8(%operand: tensor<6x4xf32>, %source: tensor<3x2xf32>, %init_value: tensor<f32>) {
  // expected-error@+1 {{expects the shape of padding-attribute to be {N, 2}, but got {2, 1}.}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %larger = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %larger : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 2, 2>,
    padding = dense<0> : tensor<2x1xi64>
  } : (tensor<6x4xf32>, tensor<3x2xf32>, tensor<f32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @select_and_scatter_c8_size(%operand: tensor<6x4xf32>, %source: tensor<3x2xf32>, %init_value: tensor<f32>) {
  // expected-error@+1 {{expects padding-entries to have same dimension-size as size of window dimensions (2), but got: 1.}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %larger = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %larger : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 2, 2>,
    padding = dense<0> : tensor<1x2xi64>
  } : (tensor<6x4xf32>, tensor<3x2xf32>, tensor<f32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @select_and_scatter_c9_arity(%operand: tensor<6x4xf32>, %source: tensor<3x2xf32>, %init_value: tensor<f32>) {
  // expected-error@+1 {{expects the select-region to take 2 parameters, but takes 1}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>):
      %larger = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %larger : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 2, 2>
  } : (tensor<6x4xf32>, tensor<3x2xf32>, tensor<f32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @select_and_scatter_c9_argument(%operand: tensor<6x4xf32>, %source: tensor<3x2xf32>, %init_value: tensor<f32>) {
  // expected-error@+1 {{expects the type of select-region's parameter at index 1 to be 'tensor<f32>', but got 'tensor<i32>'}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>, %b: tensor<i32>):
      %larger = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %larger : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 2, 2>
  } : (tensor<6x4xf32>, tensor<3x2xf32>, tensor<f32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @select_and_scatter_c9_results(%operand: tensor<6x4xf32>, %source: tensor<3x2xf32>, %init_value: tensor<f32>) {
  // expected-error@+1 {{expects select-region to return single value, but got: 0}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      stablehlo.return
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 2, 2>
  } : (tensor<6x4xf32>, tensor<3x2xf32>, tensor<f32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @select_and_scatter_c9_result_type(%operand: tensor<6x4xf32>, %source: tensor<3x2xf32>, %init_value: tensor<f32>) {
  // expected-error@+1 {{expects the return-type of select-region to be tensor<i1>, but got: 'tensor<f32>'}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      stablehlo.return %a : tensor<f32>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 2, 2>
  } : (tensor<6x4xf32>, tensor<3x2xf32>, tensor<f32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @select_and_scatter_c10_arity(%operand: tensor<6x4xf32>, %source: tensor<3x2xf32>, %init_value: tensor<f32>) {
  // expected-error@+1 {{Reduction-region must take 2 parameters, but takes 1 parameter(s)}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %larger = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %larger : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>):
      stablehlo.return %a : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 2, 2>
  } : (tensor<6x4xf32>, tensor<3x2xf32>, tensor<f32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @select_and_scatter_c10_result_type(%operand: tensor<6x4xf32>, %source: tensor<3x2xf32>, %init_value: tensor<f32>) {
  // expected-error@+1 {{The type of reduction-region's parameter at index 0 is different than the corresponding result type: 'tensor<f32>' vs 'tensor<i32>'}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %larger = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %larger : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %integer = stablehlo.convert %a : (tensor<f32>) -> tensor<i32>
      stablehlo.return %integer : tensor<i32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 2, 2>
  } : (tensor<6x4xf32>, tensor<3x2xf32>, tensor<f32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @select_and_scatter_c10_promotion(%operand: tensor<6x4xf32>, %source: tensor<3x2xf32>, %init_value: tensor<f32>) {
  // expected-error@+1 {{The element-type of reduction-region's result type at index 0 is expected to be promotable from the op's corresponding init-value element-type: 'tensor<i32>' vs 'tensor<f32>'}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %larger = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %larger : tensor<i1>
  }, {
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %sum = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %sum : tensor<i32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 2, 2>
  } : (tensor<6x4xf32>, tensor<3x2xf32>, tensor<f32>) -> tensor<6x4xi32>
  return
}

// -----

func.func @select_and_scatter_c11(%operand: tensor<6x4xf32>, %source: tensor<3x2xf32>, %init_value: tensor<f32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<6x4xf32>' are incompatible with return type(s) of operation 'tensor<6x3xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %larger = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %larger : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 2, 2>
  } : (tensor<6x4xf32>, tensor<3x2xf32>, tensor<f32>) -> tensor<6x3xf32>
  return
}

// -----

func.func @select_and_scatter_c12(%operand: tensor<6x4xf32>, %source: tensor<3x2xf32>, %init_value: tensor<f32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<6x4xf32>' are incompatible with return type(s) of operation 'tensor<6x4xf64>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %larger = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %larger : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 2, 2>
  } : (tensor<6x4xf32>, tensor<3x2xf32>, tensor<f32>) -> tensor<6x4xf64>
  return
}
