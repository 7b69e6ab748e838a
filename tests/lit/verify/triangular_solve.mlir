// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @triangular_solve(%a: tensor<4x4xf32>, %b: tensor<4x3xf32>) {
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}
      : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @triangular_solve_right_side(%a: tensor<2x4x4xf32>, %b: tensor<2x3x4xf32>) {
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = false, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>}
      : (tensor<2x4x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @triangular_solve_c3_dynamic(%a: tensor<?x4xf32>, %b: tensor<4x?xf32>) {
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}
      : (tensor<?x4xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// -----

func.func @triangular_solve_c1(%a: tensor<4x4xf64>, %b: tensor<4x3xf32>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}
      : (tensor<4x4xf64>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @triangular_solve_c2(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error@+2 {{operand 'a' must have rank >= 2, but got 'tensor<4xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}
      : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @triangular_solve_c2_ranks(%a: tensor<4x4xf32>, %b: tensor<2x4x3xf32>) {
  // expected-error@+2 {{operands must have equal rank, but got 'tensor<4x4xf32>' and 'tensor<2x4x3xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}
      : (tensor<4x4xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  return
}

// -----

func.func @triangular_solve_c3_square(%a: tensor<4x3xf32>, %b: tensor<4x3xf32>) {
  // expected-error@+2 {{two minor dimensions of operand 'a' must be compatible, but got 'tensor<4x3xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}
      : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @triangular_solve_c3_shared(%a: tensor<4x4xf32>, %b: tensor<4x3xf32>) {
  // expected-error@+2 {{shared dimension of operands 'a' and 'b' must be compatible, but got 'tensor<4x4xf32>' and 'tensor<4x3xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}
      : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @triangular_solve_c3_batch(%a: tensor<2x4x4xf32>, %b: tensor<5x4x3xf32>) {
  // expected-error@+2 {{batch dimensions of the operands must be compatible, but got 'tensor<2x4x4xf32>' and 'tensor<5x4x3xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}
      : (tensor<2x4x4xf32>, tensor<5x4x3xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @triangular_solve_c4(%a: tensor<4x4xf32>, %b: tensor<4x3xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4x3xf32>' are incompatible with return type(s) of operation 'tensor<4x4xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}
      : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @triangular_solve_transpose_a(%a: tensor<4x4xf32>, %b: tensor<4x3xf32>) {
  // expected-error@+2 {{Invalid transpose option value for triangular solve}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE_INVALID>}
      : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @triangular_solve_i1(%a: tensor<4x4xi32>, %b: tensor<4x3xi32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}
      : (tensor<4x4xi32>, tensor<4x3xi32>) -> tensor<4x3xi32>
  return
}
