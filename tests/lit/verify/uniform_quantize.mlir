// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @uniform_quantize(%operand: tensor<4xf32>) {
  %0 = stablehlo.uniform_quantize %operand : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5:1>>
  return
}

// -----

func.func @uniform_quantize_c2_per_axis(%operand: tensor<2x2xf16>) {
  %0 = stablehlo.uniform_quantize %operand : (tensor<2x2xf16>) -> tensor<2x2x!quant.uniform<i8:f16:1, {0.5, 0.25:3}>>
  return
}

// -----

func.func @uniform_quantize_c2_quantized(%operand: tensor<4x!quant.uniform<i8:f32, 0.5:1>>) {
  %0 = stablehlo.uniform_quantize %operand
      : (tensor<4x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<4x!quant.uniform<u8:f32, 2.0>>
  return
}

// -----

func.func @uniform_quantize_c1_dynamic(%operand: tensor<?xf32>) {
  %0 = stablehlo.uniform_quantize %operand : (tensor<?xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5:1>>
  return
}

// -----

func.func @uniform_quantize_c1(%operand: tensor<4xf32>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = stablehlo.uniform_quantize %operand : (tensor<4xf32>) -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  return
}

// -----

func.func @uniform_quantize_c2(%operand: tensor<4xf32>) {
  // expected-error@+1 {{Expressed type of result expected to be 'f32', but got 'f16'}}
  %0 = stablehlo.uniform_quantize %operand : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f16, 0.5:1>>
  return
}

// -----

func.func @uniform_quantize_c2_quantized_invalid(%operand: tensor<4x!quant.uniform<i8:f32, 0.5:1>>) {
  // expected-error@+1 {{Expressed type of result expected to be 'f32', but got 'f64'}}
  %0 = stablehlo.uniform_quantize %operand
      : (tensor<4x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<4x!quant.uniform<u8:f64, 2.0>>
  return
}

// -----

func.func @uniform_quantize_i1(%operand: tensor<4xi32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.uniform_quantize %operand : (tensor<4xi32>) -> tensor<4x!quant.uniform<i8:f32, 0.5:1>>
  return
}

// -----

func.func @uniform_quantize_o1(%operand: tensor<4xf32>) {
  // expected-error@+1 {{result #0 must be ranked tensor of}}
  %0 = stablehlo.uniform_quantize %operand : (tensor<4xf32>) -> tensor<4xi8>
  return
}
