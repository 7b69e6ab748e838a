// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @dynamic_slice(%operand: tensor<4x6xf32>, %start_indices0: tensor<i32>, %start_indices1: tensor<i32>) {
  %0 = stablehlo.dynamic_slice %operand, %start_indices0, %start_indices1, sizes = [2, 6]
      : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @dynamic_slice_c4_dynamic(%operand: tensor<?xf32>, %start: tensor<i64>) {
  %0 = stablehlo.dynamic_slice %operand, %start, sizes = [9] : (tensor<?xf32>, tensor<i64>) -> tensor<9xf32>
  return
}

// -----

func.func @dynamic_slice_c5_bounded(%operand: tensor<?xf32, #stablehlo.bounds<9>>, %start: tensor<i64>) {
  %0 = stablehlo.dynamic_slice %operand, %start, sizes = [9]
      : (tensor<?xf32, #stablehlo.bounds<9>>, tensor<i64>) -> tensor<9xf32>
  return
}

// -----

func.func @dynamic_slice_c1(%operand: tensor<4xf32>, %start: tensor<i32>) {
  // expected-error@+1 {{failed to verify that all of {operand, result} have same element type}}
  %0 = stablehlo.dynamic_slice %operand, %start, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf16>
  return
}

// -----

func.func @dynamic_slice_c2_start_indices(%operand: tensor<4x6xf32>, %start: tensor<i32>) {
  // expected-error@+2 {{has mismatched number of slice sizes (2) and number of start indices (1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.dynamic_slice %operand, %start, sizes = [2, 6] : (tensor<4x6xf32>, tensor<i32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @dynamic_slice_c2_rank(%operand: tensor<4xf32>, %start: tensor<i32>) {
  // expected-error@+2 {{has mismatched number of start indices (2) and the rank of operand (1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.dynamic_slice %operand, %start, %start, sizes = [2, 6]
      : (tensor<4xf32>, tensor<i32>, tensor<i32>) -> tensor<2xf32>
  return
}

// -----

func.func @dynamic_slice_c3(%operand: tensor<4x6xf32>, %start_indices0: tensor<i32>, %start_indices1: tensor<i64>) {
  // expected-error@+2 {{start indices must have same element type}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.dynamic_slice %operand, %start_indices0, %start_indices1, sizes = [2, 6]
      : (tensor<4x6xf32>, tensor<i32>, tensor<i64>) -> tensor<2x6xf32>
  return
}

// -----

func.func @dynamic_slice_c4_negative(%operand: tensor<4xf32>, %start: tensor<i32>) {
  // expected-error@+2 {{has negative size index to dynamic slice: -1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.dynamic_slice %operand, %start, sizes = [-1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
  return
}

// -----

func.func @dynamic_slice_c4(%operand: tensor<4xf32>, %start: tensor<i32>) {
  // expected-error@+2 {{has slice size 5 greater than dimension size 4 in dimension 0 of operand}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.dynamic_slice %operand, %start, sizes = [5] : (tensor<4xf32>, tensor<i32>) -> tensor<5xf32>
  return
}

// -----

func.func @dynamic_slice_c5(%operand: tensor<4xf32>, %start: tensor<i32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<3xf32>' are incompatible with return type(s) of operation 'tensor<4xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.dynamic_slice %operand, %start, sizes = [3] : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @dynamic_slice_i2(%operand: tensor<4xf32>, %start: tensor<1xi32>) {
  // expected-error@+1 {{operand #1 must be variadic of}}
  %0 = stablehlo.dynamic_slice %operand, %start, sizes = [3] : (tensor<4xf32>, tensor<1xi32>) -> tensor<3xf32>
  return
}

// -----

func.func @dynamic_slice_i2_float(%operand: tensor<4xf32>, %start: tensor<f32>) {
  // expected-error@+1 {{operand #1 must be variadic of}}
  %0 = stablehlo.dynamic_slice %operand, %start, sizes = [3] : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}
