// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @broadcast_in_dim(%operand: tensor<1x3xi32>) {
  %0 = stablehlo.broadcast_in_dim %operand, dims = [2, 1] : (tensor<1x3xi32>) -> tensor<2x3x4xi32>
  return
}

// -----

func.func @broadcast_in_dim_scalar(%operand: tensor<f32>) {
  %0 = stablehlo.broadcast_in_dim %operand, dims = [] : (tensor<f32>) -> tensor<7x2xf32>
  return
}

// -----

func.func @broadcast_in_dim_c5_dynamic(%operand: tensor<?x3xi32>) {
  %0 = stablehlo.broadcast_in_dim %operand, dims = [0, 1] : (tensor<?x3xi32>) -> tensor<5x3xi32>
  return
}

// -----

func.func @broadcast_in_dim_c5_bounded(%operand: tensor<3xf32>) {
  %0 = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<3xf32>) -> tensor<?x3xf32, #stablehlo.bounds<5, ?>>
  return
}

// -----

func.func @broadcast_in_dim_c6(%operand: tensor<1x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) {
  %0 = stablehlo.broadcast_in_dim %operand, dims = [0, 2]
      : (tensor<1x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<4x3x2x!quant.uniform<i8:f32:2, {0.5, 0.25}>>
  return
}

// -----

func.func @broadcast_in_dim_c6_expanding(%operand: tensor<1x3x!quant.uniform<i8:f32:0, {0.5:1}>>) {
  %0 = stablehlo.broadcast_in_dim %operand, dims = [0, 1]
      : (tensor<1x3x!quant.uniform<i8:f32:0, {0.5:1}>>) -> tensor<2x3x!quant.uniform<i8:f32:0, {0.5:1, 0.5:1}>>
  return
}

// -----

func.func @broadcast_in_dim_c1(%operand: tensor<1x3xi32>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = stablehlo.broadcast_in_dim %operand, dims = [2, 1] : (tensor<1x3xi32>) -> tensor<2x3x4xi64>
  return
}

// -----

func.func @broadcast_in_dim_c1_quantized(%operand: tensor<3x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{expect same quantization scale and zero_point but got 'tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>' vs 'tensor<2x3x!quant.uniform<i8:f32, 2.500000e-01>>'}}
  %0 = stablehlo.broadcast_in_dim %operand, dims = [1]
      : (tensor<3x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x!quant.uniform<i8:f32, 0.25>>
  return
}

// -----

func.func @broadcast_in_dim_c2(%operand: tensor<1x3xi32>) {
  // expected-error@+1 {{broadcast_dimensions size (1) does not match operand rank (2)}}
  %0 = stablehlo.broadcast_in_dim %operand, dims = [2] : (tensor<1x3xi32>) -> tensor<2x3x4xi32>
  return
}

// -----

func.func @broadcast_in_dim_c3(%operand: tensor<1x3xi32>) {
  // expected-error@+1 {{broadcast_dimensions contains invalid value 3 for result with rank 3}}
  %0 = stablehlo.broadcast_in_dim %operand, dims = [3, 1] : (tensor<1x3xi32>) -> tensor<2x3x4xi32>
  return
}

// -----

func.func @broadcast_in_dim_c3_negative(%operand: tensor<1x3xi32>) {
  // expected-error@+1 {{broadcast_dimensions contains invalid value -1 for result with rank 3}}
  %0 = stablehlo.broadcast_in_dim %operand, dims = [-1, 1] : (tensor<1x3xi32>) -> tensor<2x3x4xi32>
  return
}

// -----

func.func @broadcast_in_dim_c4(%operand: tensor<3x3xi32>) {
  // expected-error@+1 {{broadcast_dimensions should not have duplicates}}
  %0 = stablehlo.broadcast_in_dim %operand, dims = [1, 1] : (tensor<3x3xi32>) -> tensor<2x3x3xi32>
  return
}

// -----

func.func @broadcast_in_dim_c5(%operand: tensor<2x3xi32>) {
  // expected-error@+1 {{size of operand dimension 0 (2) is not equal to 1 or size of result dimension 2 (4)}}
  %0 = stablehlo.broadcast_in_dim %operand, dims = [2, 1] : (tensor<2x3xi32>) -> tensor<2x3x4xi32>
  return
}

// -----

func.func @broadcast_in_dim_c6_dimension(%operand: tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) {
  // expected-error@+1 {{result quantization_dimension 0 not same as broadcast_dimensions[1] = 1}}
  %0 = stablehlo.broadcast_in_dim %operand, dims = [0, 1]
      : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// -----

func.func @broadcast_in_dim_c6_scale(%operand: tensor<1x3x!quant.uniform<i8:f32:0, {0.5:1}>>) {
  // expected-error@+1 {{mismatch result scale 1 (2.500000e-01) and operand scale 0 (5.000000e-01)}}
  %0 = stablehlo.broadcast_in_dim %operand, dims = [0, 1]
      : (tensor<1x3x!quant.uniform<i8:f32:0, {0.5:1}>>) -> tensor<2x3x!quant.uniform<i8:f32:0, {0.5:1, 0.25:1}>>
  return
}

// -----

func.func @broadcast_in_dim_c6_zero_point(%operand: tensor<1x3x!quant.uniform<i8:f32:0, {0.5:1}>>) {
  // expected-error@+1 {{mismatch result zero_point 1 (2) and operand zero_point 0 (1)}}
  %0 = stablehlo.broadcast_in_dim %operand, dims = [0, 1]
      : (tensor<1x3x!quant.uniform<i8:f32:0, {0.5:1}>>) -> tensor<2x3x!quant.uniform<i8:f32:0, {0.5:1, 0.5:2}>>
  return
}

// -----

func.func @broadcast_in_dim_o1_dynamic(%operand: tensor<3xi32>) {
  // expected-error@+1 {{result #0 must be statically shaped or single bounded dimension tensor of}}
  %0 = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<3xi32>) -> tensor<?x3xi32>
  return
}
