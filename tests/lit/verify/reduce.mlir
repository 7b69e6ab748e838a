// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @reduce(%inputs: tensor<4x3x2xf32>, %init_values: tensor<f32>) {
  %0 = stablehlo.reduce(%inputs init: %init_values) applies stablehlo.add across dimensions = [0, 2]
      : (tensor<4x3x2xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @reduce_c3_several(%inputs0: tensor<4x3xf32>, %inputs1: tensor<4x3xi32>, %init_values0: tensor<f32>, %init_values1: tensor<i32>) {
  %0:2 = "stablehlo.reduce"(%inputs0, %inputs1, %init_values0, %init_values1) ({
    ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
      %sum = stablehlo.add %a, %c : tensor<f32>
      %largest = stablehlo.maximum %b, %d : tensor<i32>
      stablehlo.return %sum, %largest : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<4x3xf32>, tensor<4x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
  return
}

// -----

func.func @reduce_c7_dynamic(%inputs: tensor<?x3xf32>, %init_values: tensor<f32>) {
  %0 = stablehlo.reduce(%inputs init: %init_values) applies stablehlo.maximum across dimensions = [1]
      : (tensor<?x3xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_c7_bounded(%inputs: tensor<?x3xf32, #stablehlo.bounds<9, ?>>, %init_values: tensor<f32>) {
  %0 = stablehlo.reduce(%inputs init: %init_values) applies stablehlo.maximum across dimensions = [1]
      : (tensor<?x3xf32, #stablehlo.bounds<9, ?>>, tensor<f32>) -> tensor<?xf32, #stablehlo.bounds<9>>
  return
}

// -----

func.func @reduce_c6_c8_promotion(%inputs: tensor<4xi8>, %init_values: tensor<i8>) {
  %0 = "stablehlo.reduce"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<i32>
      stablehlo.return %sum : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<4xi8>, tensor<i8>) -> tensor<i32>
  return
}

// -----

func.func @reduce_c1(%inputs0: tensor<4x3xf32>, %inputs1: tensor<3x4xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{expects all inputs to have compatible shapes. Shape at input-index 1 is not compatible with shape at input-index 0}}
  %0:2 = "stablehlo.reduce"(%inputs0, %inputs1, %init_values, %init_values) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
      stablehlo.return %a, %b : tensor<f32>, tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x3xf32>, tensor<3x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @reduce_c2(%inputs: tensor<4xf32>, %init_values: tensor<i32>) {
  // expected-error@+1 {{The element-type of reduction-region's result type at index 0 is expected to be promotable from the op's corresponding init-value element-type: 'tensor<f32>' vs 'tensor<i32>'}}
  %0 = "stablehlo.reduce"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<i32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c3(%inputs: tensor<4xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{The shape of reduction-region's result type at index 0 differs from the op's corresponding init-value type: 'tensor<f32>' vs 'tensor<4xf32>'}}
  %0 = "stablehlo.reduce"(%inputs, %inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c3_results(%inputs: tensor<4xf32>, %init_values: tensor<f32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<f32>' are incompatible with return type(s) of operation 'tensor<f32>', 'tensor<f32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = "stablehlo.reduce"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @reduce_c4(%inputs: tensor<4x3xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{Out-of-bounds dimension 2, expected to be in range [0, 2)}}
  %0 = stablehlo.reduce(%inputs init: %init_values) applies stablehlo.add across dimensions = [2]
      : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_c4_negative(%inputs: tensor<4x3xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{Out-of-bounds dimension -1, expected to be in range [0, 2)}}
  %0 = stablehlo.reduce(%inputs init: %init_values) applies stablehlo.add across dimensions = [-1]
      : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_c5(%inputs: tensor<4x3xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{Duplicate reduction dimension: 1}}
  %0 = stablehlo.reduce(%inputs init: %init_values) applies stablehlo.add across dimensions = [1, 1]
      : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_c6_arity(%inputs: tensor<4xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{Reduction-region must take 2 parameters, but takes 3 parameter(s)}}
  %0 = "stablehlo.reduce"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>, %more: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c6_results(%inputs: tensor<4xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{Reduction-region here must produce 1 tensors, but produces 2 instead}}
  %0 = "stablehlo.reduce"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs, %rhs : tensor<f32>, tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c6_no_results(%inputs: tensor<4xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{The reduction-region expected to return some value(s)}}
  %0 = "stablehlo.reduce"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c6_token(%inputs: tensor<4xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{Reduction-region here must produce tensor-typed result(s), but produces '!stablehlo.token' instead}}
  %0 = "stablehlo.reduce"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %token = stablehlo.create_token : !stablehlo.token
      stablehlo.return %token : !stablehlo.token
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c6_result_type(%inputs: tensor<4xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{The type of reduction-region's parameter at index 0 is different than the corresponding result type: 'tensor<f32>' vs 'tensor<i32>'}}
  %0 = "stablehlo.reduce"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %integer = stablehlo.convert %lhs : (tensor<f32>) -> tensor<i32>
      stablehlo.return %integer : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c6_promotion(%inputs: tensor<4xi32>, %init_values: tensor<i32>) {
  // expected-error@+1 {{The element-type of reduction-region's result type at index 0 is expected to be promotable from the op's corresponding init-value element-type: 'tensor<i8>' vs 'tensor<i32>'}}
  %0 = "stablehlo.reduce"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<i8>, %rhs: tensor<i8>):
      stablehlo.return %lhs : tensor<i8>
  }) {dimensions = array<i64: 0>} : (tensor<4xi32>, tensor<i32>) -> tensor<i8>
  return
}

// -----

func.func @reduce_c6_rank(%inputs: tensor<4xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{The shape of reduction-region's result type at index 0 differs from the op's corresponding init-value type: 'tensor<1xf32>' vs 'tensor<f32>'}}
  %0 = "stablehlo.reduce"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<1xf32>, %rhs: tensor<1xf32>):
      stablehlo.return %lhs : tensor<1xf32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c6_slice_rank(%inputs: tensor<4x3xf32>, %init_values: tensor<4x3xf32>) {
  // expected-error@+1 {{The rank of reduction-region's argument at index 1 is expected to be <= 1, got 2}}
  %0 = "stablehlo.reduce"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<4x3xf32>, %rhs: tensor<4x3xf32>):
      stablehlo.return %lhs : tensor<4x3xf32>
  }) {dimensions = array<i64: 0>} : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @reduce_c6_slice_shape(%inputs: tensor<4x3xf32>, %init_values: tensor<5xf32>) {
  // expected-error@+1 {{The shape of reduction-region's argument at index 1 is not compatible with that of reduce-op's input-parameter at index 0}}
  %0 = "stablehlo.reduce"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<5xf32>, %rhs: tensor<5xf32>):
      stablehlo.return %lhs : tensor<5xf32>
  }) {dimensions = array<i64: 0>} : (tensor<4x3xf32>, tensor<5xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @reduce_c7(%inputs: tensor<4x3xf32>, %init_values: tensor<f32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<3xf32>' are incompatible with return type(s) of operation 'tensor<4xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.reduce(%inputs init: %init_values) applies stablehlo.add across dimensions = [0]
      : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_c8(%inputs: tensor<4x3xf32>, %init_values: tensor<f32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<3xf32>' are incompatible with return type(s) of operation 'tensor<3xf64>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.reduce(%inputs init: %init_values) applies stablehlo.add across dimensions = [0]
      : (tensor<4x3xf32>, tensor<f32>) -> tensor<3xf64>
  return
}

// -----

func.func @reduce_applies(%inputs: tensor<4x3xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{custom op 'stablehlo.reduce' expected the inner-op to be a commutative binary-op from the stablehlo dialect, with zero region, producing single result}}
  %0 = stablehlo.reduce(%inputs init: %init_values) applies stablehlo.subtract across dimensions = [0]
      : (tensor<4x3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @reduce_body_empty(%inputs: tensor<4xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{region #0 ('body') failed to verify constraint: region with 1 blocks}}
  %0 = "stablehlo.reduce"(%inputs, %init_values) ({
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}
