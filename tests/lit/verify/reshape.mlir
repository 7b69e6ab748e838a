// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @reshape(%operand: tensor<2x6xf32>) {
  %0 = stablehlo.reshape %operand : (tensor<2x6xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @reshape_scalar(%operand: tensor<1x1xi8>) {
  %0 = stablehlo.reshape %operand : (tensor<1x1xi8>) -> tensor<i8>
  return
}

// -----

func.func @reshape_c2_dynamic(%operand: tensor<?x6xf32>) {
  %0 = stablehlo.reshape %operand : (tensor<?x6xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @reshape_c3(%operand: tensor<2x2x3x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) {
  %0 = stablehlo.reshape %operand
      : (tensor<2x2x3x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<1x2x2x3x!quant.uniform<i8:f32:2, {0.5, 0.25}>>
  return
}

// -----

func.func @reshape_c1(%operand: tensor<2x6xf32>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = stablehlo.reshape %operand : (tensor<2x6xf32>) -> tensor<3x4xf16>
  return
}

// -----

func.func @reshape_c1_quantized(%operand: tensor<6x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{expect same quantization scale and zero_point but got 'tensor<6x!quant.uniform<i8:f32, 5.000000e-01>>' vs 'tensor<2x3x!quant.uniform<i8:f32, 2.500000e-01>>'}}
  %0 = stablehlo.reshape %operand : (tensor<6x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x!quant.uniform<i8:f32, 0.25>>
  return
}

// -----

func.func @reshape_c1_per_axis(%operand: tensor<6x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) {
  // expected-error@+1 {{expect same quantization scales and zero_points but got 'tensor<6x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>' vs 'tensor<3x2x2x!quant.uniform<i8:f32:2, {5.000000e-01,1.250000e-01}>>'}}
  %0 = stablehlo.reshape %operand
      : (tensor<6x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<3x2x2x!quant.uniform<i8:f32:2, {0.5, 0.125}>>
  return
}

// -----

func.func @reshape_c2(%operand: tensor<2x6xf32>) {
  // expected-error@+1 {{number of output elements (15) doesn't match expected number of elements (12)}}
  %0 = stablehlo.reshape %operand : (tensor<2x6xf32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @reshape_c3_before(%operand: tensor<2x2x3x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) {
  // expected-error@+1 {{product of dimensions before quantization dimension must match between operand and result for 2 and 1}}
  %0 = stablehlo.reshape %operand
      : (tensor<2x2x3x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<2x6x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// -----

func.func @reshape_c3_size(%operand: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{expect same quantization dimension size for operand and result 'tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>' and 'tensor<4x1x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01,5.000000e-01,2.500000e-01}>>'}}
  %0 = stablehlo.reshape %operand
      : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>)
      -> tensor<4x1x!quant.uniform<i8:f32:0, {0.5, 0.25, 0.5, 0.25}>>
  return
}

// -----

func.func @reshape_o1(%operand: tensor<2x6xf32>) {
  // expected-error@+1 {{result #0 must be statically shaped or single bounded dimension tensor of}}
  %0 = stablehlo.reshape %operand : (tensor<2x6xf32>) -> tensor<?x4xf32>
  return
}
