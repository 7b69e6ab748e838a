// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @set_dimension_size(%operand: tensor<4x5xf32>, %size: tensor<i32>) {
  %0 = stablehlo.set_dimension_size %operand, %size, dim = 1
      : (tensor<4x5xf32>, tensor<i32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 5>>
  return
}

// -----

func.func @set_dimension_size_constant(%operand: tensor<4x5xf32>) {
  %size = stablehlo.constant dense<5> : tensor<i32>
  %0 = stablehlo.set_dimension_size %operand, %size, dim = 1 : (tensor<4x5xf32>, tensor<i32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @set_dimension_size_dimension(%operand: tensor<4x5xf32>, %size: tensor<i32>) {
  // expected-error@+2 {{requires dimension attribute in range [0, 2); found (2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.set_dimension_size %operand, %size, dim = 2 : (tensor<4x5xf32>, tensor<i32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @set_dimension_size_dimension_negative(%operand: tensor<4x5xf32>, %size: tensor<i32>) {
  // expected-error@+1 {{attribute 'dimension' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = stablehlo.set_dimension_size %operand, %size, dim = -1 : (tensor<4x5xf32>, tensor<i32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @set_dimension_size_size_rank(%operand: tensor<4x5xf32>, %size: tensor<1xi32>) {
  // expected-error@+2 {{size operand should be of rank-0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.set_dimension_size %operand, %size, dim = 1
      : (tensor<4x5xf32>, tensor<1xi32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 5>>
  return
}

// -----

func.func @set_dimension_size_size_type(%operand: tensor<4x5xf32>, %size: tensor<i64>) {
  // expected-error@+1 {{operand #1 must be ranked tensor of}}
  %0 = stablehlo.set_dimension_size %operand, %size, dim = 1
      : (tensor<4x5xf32>, tensor<i64>) -> tensor<4x?xf32, #stablehlo.bounds<?, 5>>
  return
}

// -----

func.func @set_dimension_size_result(%operand: tensor<4x5xf32>, %size: tensor<i32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4x?xf32, #stablehlo.bounds<?, 5>>' are incompatible with return type(s) of operation 'tensor<4x6xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.set_dimension_size %operand, %size, dim = 1 : (tensor<4x5xf32>, tensor<i32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @set_dimension_size_result_rank(%operand: tensor<4x5xf32>, %size: tensor<i32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4x?xf32, #stablehlo.bounds<?, 5>>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.set_dimension_size %operand, %size, dim = 1 : (tensor<4x5xf32>, tensor<i32>) -> tensor<?xf32>
  return
}

// -----

func.func @set_dimension_size_out_of_range(%operand: tensor<2x3xf32>, %size: tensor<i32>) {
  // expected-error@+2 {{requires dimension attribute in range [0, 2); found (2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.set_dimension_size %operand, %size, dim = 2 : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
  return
}
