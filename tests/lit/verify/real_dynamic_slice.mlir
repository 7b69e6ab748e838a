// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @real_dynamic_slice(%operand: tensor<4x6xf32>, %start: tensor<2xi64>, %limit: tensor<2xi64>, %strides: tensor<2xi64>) {
  %0 = stablehlo.real_dynamic_slice %operand, %start, %limit, %strides
      : (tensor<4x6xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @real_dynamic_slice_dynamic(%operand: tensor<?xf32>, %start: tensor<1xindex>, %limit: tensor<1xindex>, %strides: tensor<1xindex>) {
  %0 = stablehlo.real_dynamic_slice %operand, %start, %limit, %strides
      : (tensor<?xf32>, tensor<1xindex>, tensor<1xindex>, tensor<1xindex>) -> tensor<3xf32>
  return
}

// -----

func.func @real_dynamic_slice_element_type(%operand: tensor<4xf32>, %start: tensor<1xi64>, %limit: tensor<1xi64>, %strides: tensor<1xi64>) {
  // expected-error@+1 {{failed to verify that all of {operand, result} have same element type}}
  %0 = stablehlo.real_dynamic_slice %operand, %start, %limit, %strides
      : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf64>
  return
}

// -----

func.func @real_dynamic_slice_start_indices(%operand: tensor<4x6xf32>, %start: tensor<1xi64>, %limit: tensor<1xi64>, %strides: tensor<1xi64>) {
  // expected-error@+1 {{has mismatched number of operand rank (2) and start_indices size (1)}}
  %0 = stablehlo.real_dynamic_slice %operand, %start, %limit, %strides
      : (tensor<4x6xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @real_dynamic_slice_same_types(%operand: tensor<4xf32>, %start: tensor<1xi64>, %limit: tensor<1xi32>, %strides: tensor<1xi64>) {
  // expected-error@+1 {{failed to verify that all of {start_indices, limit_indices, strides} have same type}}
  %0 = stablehlo.real_dynamic_slice %operand, %start, %limit, %strides
      : (tensor<4xf32>, tensor<1xi64>, tensor<1xi32>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @real_dynamic_slice_rank(%operand: tensor<4xf32>, %start: tensor<1x1xi64>, %limit: tensor<1x1xi64>, %strides: tensor<1x1xi64>) {
  // expected-error@+1 {{operand #1 must be 1D tensor of}}
  %0 = stablehlo.real_dynamic_slice %operand, %start, %limit, %strides
      : (tensor<4xf32>, tensor<1x1xi64>, tensor<1x1xi64>, tensor<1x1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @real_dynamic_slice_start(%operand: tensor<4x4xf32>, %start: tensor<3xi64>, %limit: tensor<3xi64>, %strides: tensor<3xi64>) {
  // expected-error@+1 {{has mismatched number of operand rank (2) and start_indices size (3)}}
  %0 = stablehlo.real_dynamic_slice %operand, %start, %limit, %strides : (tensor<4x4xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<?x?xf32>
  return
}
