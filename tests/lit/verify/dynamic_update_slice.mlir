// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @dynamic_update_slice(%operand: tensor<4x6xf32>, %update: tensor<2x6xf32>, %start_indices0: tensor<i32>, %start_indices1: tensor<i32>) {
  %0 = stablehlo.dynamic_update_slice %operand, %update, %start_indices0, %start_indices1
      : (tensor<4x6xf32>, tensor<2x6xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @dynamic_update_slice_c6_dynamic(%operand: tensor<?xf32>, %update: tensor<3xf32>, %start: tensor<i32>) {
  %0 = stablehlo.dynamic_update_slice %operand, %update, %start
      : (tensor<?xf32>, tensor<3xf32>, tensor<i32>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_update_slice_c1_bounded(%operand: tensor<?xf32, #stablehlo.bounds<8>>, %update: tensor<3xf32>, %start: tensor<i32>) {
  %0 = stablehlo.dynamic_update_slice %operand, %update, %start
      : (tensor<?xf32, #stablehlo.bounds<8>>, tensor<3xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<8>>
  return
}

// -----

func.func @dynamic_update_slice_c1(%operand: tensor<4xf32>, %update: tensor<2xf32>, %start: tensor<i32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<5xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.dynamic_update_slice %operand, %update, %start
      : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<5xf32>
  return
}

// -----

func.func @dynamic_update_slice_c1_element_type(%operand: tensor<4xf32>, %update: tensor<2xf32>, %start: tensor<i32>) {
  // expected-error@+1 {{failed to verify that all of {operand, update, result} have same element type}}
  %0 = stablehlo.dynamic_update_slice %operand, %update, %start
      : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<4xf64>
  return
}

// -----

func.func @dynamic_update_slice_c2(%operand: tensor<4xf32>, %update: tensor<2xi32>, %start: tensor<i32>) {
  // expected-error@+1 {{failed to verify that all of {operand, update, result} have same element type}}
  %0 = stablehlo.dynamic_update_slice %operand, %update, %start
      : (tensor<4xf32>, tensor<2xi32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @dynamic_update_slice_c3(%operand: tensor<4xf32>, %update: tensor<1x2xf32>, %start: tensor<i32>) {
  // expected-error@+2 {{update rank does not match operand rank: 2 vs 1.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.dynamic_update_slice %operand, %update, %start
      : (tensor<4xf32>, tensor<1x2xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @dynamic_update_slice_c4(%operand: tensor<4x6xf32>, %update: tensor<2x6xf32>, %start: tensor<i32>) {
  // expected-error@+2 {{expects number of start_indices to match operand rank: 1 vs 2.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.dynamic_update_slice %operand, %update, %start
      : (tensor<4x6xf32>, tensor<2x6xf32>, tensor<i32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @dynamic_update_slice_c5(%operand: tensor<4x6xf32>, %update: tensor<2x6xf32>, %start_indices0: tensor<i32>, %start_indices1: tensor<ui32>) {
  // expected-error@+2 {{start indices must have same element type}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.dynamic_update_slice %operand, %update, %start_indices0, %start_indices1
      : (tensor<4x6xf32>, tensor<2x6xf32>, tensor<i32>, tensor<ui32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @dynamic_update_slice_c6(%operand: tensor<4xf32>, %update: tensor<5xf32>, %start: tensor<i32>) {
  // expected-error@+2 {{expects size at dimension 0 of update to be in range [0, 4]. Got: 5.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.dynamic_update_slice %operand, %update, %start
      : (tensor<4xf32>, tensor<5xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @dynamic_update_slice_i3(%operand: tensor<4xf32>, %update: tensor<2xf32>, %start: tensor<f32>) {
  // expected-error@+1 {{operand #2 must be variadic of}}
  %0 = stablehlo.dynamic_update_slice %operand, %update, %start
      : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
