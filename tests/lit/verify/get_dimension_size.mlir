// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @get_dimension_size(%operand: tensor<4x?xf32>) {
  %0 = stablehlo.get_dimension_size %operand, dim = 1 : (tensor<4x?xf32>) -> tensor<i32>
  return
}

// -----

func.func @get_dimension_size_bounded(%operand: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = stablehlo.get_dimension_size %operand, dim = 0 : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<i32>
  return
}

// -----

func.func @get_dimension_size_c1(%operand: tensor<4x?xf32>) {
  // expected-error@+2 {{requires dimension attribute in range [0, 2); found (2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.get_dimension_size %operand, dim = 2 : (tensor<4x?xf32>) -> tensor<i32>
  return
}

// -----

func.func @get_dimension_size_c1_negative(%operand: tensor<4x?xf32>) {
  // expected-error@+1 {{attribute 'dimension' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = stablehlo.get_dimension_size %operand, dim = -1 : (tensor<4x?xf32>) -> tensor<i32>
  return
}

// -----

func.func @get_dimension_size_o1(%operand: tensor<4x?xf32>) {
  // expected-error@+1 {{result #0 must be ranked tensor of}}
  %0 = stablehlo.get_dimension_size %operand, dim = 1 : (tensor<4x?xf32>) -> tensor<i64>
  return
}
