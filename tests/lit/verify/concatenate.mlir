// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @concatenate(%inputs0: tensor<2x3xf32>, %inputs1: tensor<2x4xf32>) {
  %0 = stablehlo.concatenate %inputs0, %inputs1, dim = 1 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x7xf32>
  return
}

// -----

func.func @concatenate_single(%inputs: tensor<5xi1>) {
  %0 = stablehlo.concatenate %inputs, dim = 0 : (tensor<5xi1>) -> tensor<5xi1>
  return
}

// -----

func.func @concatenate_c2_dynamic(%inputs0: tensor<?x3xf32>, %inputs1: tensor<2x?xf32>) {
  %0 = stablehlo.concatenate %inputs0, %inputs1, dim = 1 : (tensor<?x3xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  return
}

// -----

func.func @concatenate_c6_bounded(%inputs0: tensor<?xf32, #stablehlo.bounds<3>>, %inputs1: tensor<4xf32>) {
  %0 = stablehlo.concatenate %inputs0, %inputs1, dim = 0
      : (tensor<?xf32, #stablehlo.bounds<3>>, tensor<4xf32>) -> tensor<?xf32, #stablehlo.bounds<7>>
  return
}

// -----

func.func @concatenate_c1(%inputs0: tensor<2xf32>, %inputs1: tensor<2xf64>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = stablehlo.concatenate %inputs0, %inputs1, dim = 0 : (tensor<2xf32>, tensor<2xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @concatenate_c2(%inputs0: tensor<2x3xf32>, %inputs1: tensor<3x4xf32>) {
  // expected-error@+2 {{shapes of operand (0) and (1) are not compatible at non-concat index 0: (2, 3) != (3, 4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.concatenate %inputs0, %inputs1, dim = 1 : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x7xf32>
  return
}

// -----

func.func @concatenate_c2_rank(%inputs0: tensor<2x3xf32>, %inputs1: tensor<3xf32>) {
  // expected-error@+2 {{operands (0) and (1) do not match rank}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.concatenate %inputs0, %inputs1, dim = 1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @concatenate_c2_scalar(%inputs0: tensor<f32>, %inputs1: tensor<f32>) {
  // expected-error@+2 {{rank-0 values cannot be concatenated}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.concatenate %inputs0, %inputs1, dim = 0 : (tensor<f32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @concatenate_c3() {
  // expected-error@+1 {{expected 1 or more operands, but found 0}}
  %0 = "stablehlo.concatenate"() {dimension = 0 : i64} : () -> tensor<2xf32>
  return
}

// -----

func.func @concatenate_c4(%inputs0: tensor<2xf32>, %inputs1: tensor<3xf32>) {
  // expected-error@+2 {{dimension 1 is out-of-bounds for input rank 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.concatenate %inputs0, %inputs1, dim = 1 : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @concatenate_c4_negative(%inputs0: tensor<2xf32>, %inputs1: tensor<3xf32>) {
  // expected-error@+1 {{attribute 'dimension' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = "stablehlo.concatenate"(%inputs0, %inputs1) {dimension = -1 : i64}
      : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @concatenate_c5(%inputs0: tensor<2xf32>, %inputs1: tensor<3xf32>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = stablehlo.concatenate %inputs0, %inputs1, dim = 0 : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xi32>
  return
}

// -----

func.func @concatenate_c6(%inputs0: tensor<2xf32>, %inputs1: tensor<3xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<5xf32>' are incompatible with return type(s) of operation 'tensor<6xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.concatenate %inputs0, %inputs1, dim = 0 : (tensor<2xf32>, tensor<3xf32>) -> tensor<6xf32>
  return
}
