// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @slice(%operand: tensor<5x8xi32>) {
  %0 = stablehlo.slice %operand [1:5:2, 0:8] : (tensor<5x8xi32>) -> tensor<2x8xi32>
  return
}

// -----

func.func @slice_empty(%operand: tensor<5xi32>) {
  %0 = stablehlo.slice %operand [3:3] : (tensor<5xi32>) -> tensor<0xi32>
  return
}

// -----

func.func @slice_c5_dynamic(%operand: tensor<?x8xi32>) {
  %0 = stablehlo.slice %operand [1:4, 2:6] : (tensor<?x8xi32>) -> tensor<3x?xi32>
  return
}

// -----

func.func @slice_c3_bounded(%operand: tensor<?xi32, #stablehlo.bounds<6>>) {
  %0 = stablehlo.slice %operand [1:6] : (tensor<?xi32, #stablehlo.bounds<6>>) -> tensor<5xi32>
  return
}

// -----

func.func @slice_c1(%operand: tensor<5xi32>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = stablehlo.slice %operand [1:5] : (tensor<5xi32>) -> tensor<4xi64>
  return
}

// -----

func.func @slice_c2(%operand: tensor<5x8xi32>) {
  // expected-error@+2 {{the number of elements in start_indices (1) does not match the rank of the operand (2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.slice %operand [1:5] : (tensor<5x8xi32>) -> tensor<4x8xi32>
  return
}

// -----

func.func @slice_c2_sizes(%operand: tensor<5xi32>) {
  // expected-error@+1 {{failed to verify that all of {start_indices, limit_indices, strides} have same size}}
  %0 = "stablehlo.slice"(%operand) {start_indices = array<i64: 0>, limit_indices = array<i64: 2, 3>, strides = array<i64: 1>}
      : (tensor<5xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @slice_c3_negative(%operand: tensor<5xi32>) {
  // expected-error@+2 {{negative start index -1 in dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.slice"(%operand) {start_indices = array<i64: -1>, limit_indices = array<i64: 2>, strides = array<i64: 1>}
      : (tensor<5xi32>) -> tensor<3xi32>
  return
}

// -----

func.func @slice_c3_limit(%operand: tensor<5xi32>) {
  // expected-error@+2 {{limit index 6 is larger than dimension size 5 in dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.slice %operand [1:6] : (tensor<5xi32>) -> tensor<5xi32>
  return
}

// -----

func.func @slice_c3_order(%operand: tensor<5xi32>) {
  // expected-error@+2 {{start index 4 is larger than limit index 3 in dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.slice %operand [4:3] : (tensor<5xi32>) -> tensor<0xi32>
  return
}

// -----

func.func @slice_c3_bound(%operand: tensor<?xi32, #stablehlo.bounds<6>>) {
  // expected-error@+2 {{limit index 7 is larger than dimension bound 6 in dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.slice %operand [1:7] : (tensor<?xi32, #stablehlo.bounds<6>>) -> tensor<6xi32>
  return
}

// -----

func.func @slice_c4(%operand: tensor<5xi32>) {
  // expected-error@+2 {{stride must be positive but got 0 in dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.slice %operand [1:5:0] : (tensor<5xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @slice_c5(%operand: tensor<5xi32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<3xi32>' are incompatible with return type(s) of operation 'tensor<2xi32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.slice %operand [0:5:2] : (tensor<5xi32>) -> tensor<2xi32>
  return
}
