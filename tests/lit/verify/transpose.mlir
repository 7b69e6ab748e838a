// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @transpose(%operand: tensor<2x3x4xf32>) {
  %0 = stablehlo.transpose %operand, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  return
}

// -----

func.func @transpose_c3_dynamic(%operand: tensor<?x3xf32>) {
  %0 = stablehlo.transpose %operand, dims = [1, 0] : (tensor<?x3xf32>) -> tensor<?x5xf32>
  return
}

// -----

func.func @transpose_c3_bounded(%operand: tensor<?x3xf32, #stablehlo.bounds<5, ?>>) {
  %0 = stablehlo.transpose %operand, dims = [1, 0]
      : (tensor<?x3xf32, #stablehlo.bounds<5, ?>>) -> tensor<3x?xf32, #stablehlo.bounds<?, 5>>
  return
}

// -----

func.func @transpose_c4(%operand: tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  %0 = stablehlo.transpose %operand, dims = [1, 0]
      : (tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}

// -----

func.func @transpose_c1(%operand: tensor<2x3xf32>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xi32>
  return
}

// -----

func.func @transpose_c1_quantized(%operand: tensor<2x3x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{expect same quantization scale and zero_point but got 'tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>' vs 'tensor<3x2x!quant.uniform<i8:f32, 2.500000e-01>>'}}
  %0 = stablehlo.transpose %operand, dims = [1, 0]
      : (tensor<2x3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x2x!quant.uniform<i8:f32, 0.25>>
  return
}

// -----

func.func @transpose_c1_per_axis(%operand: tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{expect same quantization scales and zero_points but got 'tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>' vs 'tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,5.000000e-01}>>'}}
  %0 = stablehlo.transpose %operand, dims = [1, 0]
      : (tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.5}>>
  return
}

// -----

func.func @transpose_c2_size(%operand: tensor<2x3xf32>) {
  // expected-error@+2 {{TransposeOp operand rank 2 does not match permutation size 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.transpose %operand, dims = [0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @transpose_c2_range(%operand: tensor<2x3xf32>) {
  // expected-error@+2 {{attribute permutation must be a permutation of [0, 1] but got 1, 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.transpose %operand, dims = [1, 2] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @transpose_c2_unique(%operand: tensor<2x3xf32>) {
  // expected-error@+2 {{attribute permutation must be a permutation of [0, 1] but got 1, 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.transpose %operand, dims = [1, 1] : (tensor<2x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @transpose_c3(%operand: tensor<2x3xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<3x2xf32>' are incompatible with return type(s) of operation 'tensor<2x3xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @transpose_c3_bounds(%operand: tensor<?x3xf32, #stablehlo.bounds<5, ?>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<3x?xf32, #stablehlo.bounds<?, 5>>' are incompatible with return type(s) of operation 'tensor<3x6xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.transpose %operand, dims = [1, 0] : (tensor<?x3xf32, #stablehlo.bounds<5, ?>>) -> tensor<3x6xf32>
  return
}

// -----

func.func @transpose_c4_invalid(%operand: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{operand quantization_dimension 0 is not same as permutation[0] = 1}}
  %0 = stablehlo.transpose %operand, dims = [1, 0]
      : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}
