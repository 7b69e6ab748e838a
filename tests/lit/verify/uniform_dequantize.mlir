// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @uniform_dequantize(%operand: tensor<4x!quant.uniform<i8:f32, 0.5:1>>) {
  %0 = stablehlo.uniform_dequantize %operand : (tensor<4x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<4xf32>
  return
}

// -----

func.func @uniform_dequantize_c2_per_axis(%operand: tensor<2x2x!quant.uniform<i8:f16:0, {0.5, 0.25:3}>>) {
  %0 = stablehlo.uniform_dequantize %operand : (tensor<2x2x!quant.uniform<i8:f16:0, {0.5, 0.25:3}>>) -> tensor<2x2xf16>
  return
}

// -----

func.func @uniform_dequantize_c1_dynamic(%operand: tensor<?x!quant.uniform<i8:f32, 0.5:1>>) {
  %0 = stablehlo.uniform_dequantize %operand : (tensor<?x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<4xf32>
  return
}

// -----

func.func @uniform_dequantize_c1(%operand: tensor<4x!quant.uniform<i8:f32, 0.5:1>>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = stablehlo.uniform_dequantize %operand : (tensor<4x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x2xf32>
  return
}

// -----

func.func @uniform_dequantize_c2(%operand: tensor<4x!quant.uniform<i8:f32, 0.5:1>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<4xf64>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.uniform_dequantize %operand : (tensor<4x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<4xf64>
  return
}

// -----

func.func @uniform_dequantize_i1(%operand: tensor<4xi8>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.uniform_dequantize %operand : (tensor<4xi8>) -> tensor<4xf32>
  return
}

// -----

func.func @uniform_dequantize_o1(%operand: tensor<4x!quant.uniform<i8:f32, 0.5:1>>) {
  // expected-error@+1 {{result #0 must be ranked tensor of}}
  %0 = stablehlo.uniform_dequantize %operand : (tensor<4x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<4xi32>
  return
}
