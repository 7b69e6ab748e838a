// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @broadcast(%operand: tensor<3xf32>) {
  %0 = stablehlo.broadcast %operand, sizes = [2, 4] : (tensor<3xf32>) -> tensor<2x4x3xf32>
  return
}

// -----

func.func @broadcast_none(%operand: tensor<3xf32>) {
  %0 = stablehlo.broadcast %operand, sizes = [] : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @broadcast_dynamic(%operand: tensor<?xf32>) {
  %0 = stablehlo.broadcast %operand, sizes = [2] : (tensor<?xf32>) -> tensor<2x?xf32>
  return
}

// -----

func.func @broadcast_result_shape(%operand: tensor<3xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<2x4x3xf32>' are incompatible with return type(s) of operation 'tensor<4x2x3xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.broadcast %operand, sizes = [2, 4] : (tensor<3xf32>) -> tensor<4x2x3xf32>
  return
}

// -----

func.func @broadcast_result_rank(%operand: tensor<3xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<2x3xf32>' are incompatible with return type(s) of operation 'tensor<3x2x1xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xf32>) -> tensor<3x2x1xf32>
  return
}

// -----

func.func @broadcast_element_type(%operand: tensor<3xf32>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xf32>) -> tensor<2x3xf64>
  return
}

// -----

func.func @broadcast_negative_size(%operand: tensor<3xf32>) {
  // expected-error@+2 {{Broadcast with negative dimension size -2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.broadcast %operand, sizes = [-2] : (tensor<3xf32>) -> tensor<2x3xf32>
  return
}
