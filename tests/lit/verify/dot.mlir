// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @dot(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) {
  %0 = stablehlo.dot %lhs, %rhs : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @dot_vectors(%lhs: tensor<3xi32>, %rhs: tensor<3xi32>) {
  %0 = stablehlo.dot %lhs, %rhs, precision = [HIGH, DEFAULT] : (tensor<3xi32>, tensor<3xi32>) -> tensor<i32>
  return
}

// -----

func.func @dot_matrix_vector(%lhs: tensor<2x?xf32>, %rhs: tensor<3xf32>) {
  %0 = stablehlo.dot %lhs, %rhs : (tensor<2x?xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @dot_contracting(%lhs: tensor<2x3xf32>, %rhs: tensor<4x5xf32>) {
  // expected-error@+1 {{expected both lhs/rhs ranks to be either 1 or 2}}
  %0 = stablehlo.dot %lhs, %rhs : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @dot_vectors_size(%lhs: tensor<3xf32>, %rhs: tensor<4xf32>) {
  // expected-error@+1 {{expected both lhs/rhs ranks to be either 1 or 2}}
  %0 = stablehlo.dot %lhs, %rhs : (tensor<3xf32>, tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @dot_rank(%lhs: tensor<1x2x3xf32>, %rhs: tensor<3x4xf32>) {
  // expected-error@+1 {{expected both lhs/rhs ranks to be either 1 or 2}}
  %0 = stablehlo.dot %lhs, %rhs : (tensor<1x2x3xf32>, tensor<3x4xf32>) -> tensor<1x2x4xf32>
  return
}

// -----

func.func @dot_scalar(%lhs: tensor<f32>, %rhs: tensor<3xf32>) {
  // expected-error@+1 {{expected both lhs/rhs ranks to be either 1 or 2}}
  %0 = stablehlo.dot %lhs, %rhs : (tensor<f32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @dot_result(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) {
  // expected-error@+1 {{inferred shape '[2, 4]' is incompatible with return type of operation 'tensor<4x2xf32>'}}
  %0 = stablehlo.dot %lhs, %rhs : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @dot_precision(%lhs: tensor<3xf32>, %rhs: tensor<3xf32>) {
  // expected-error@+1 {{expects precision config to be empty or have <= 2 elements}}
  %0 = stablehlo.dot %lhs, %rhs, precision = [HIGH, DEFAULT, DEFAULT] : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return
}
