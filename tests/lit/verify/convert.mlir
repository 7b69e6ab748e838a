// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @convert(%operand: tensor<3x2xf32>) {
  %0 = stablehlo.convert %operand : (tensor<3x2xf32>) -> tensor<3x2xi8>
  return
}

// -----

func.func @convert_to_complex(%operand: tensor<3x2xi1>) {
  %0 = stablehlo.convert %operand : (tensor<3x2xi1>) -> tensor<3x2xcomplex<f32>>
  return
}

// -----

func.func @convert_c1_dynamic(%operand: tensor<?x2xf32>) {
  %0 = stablehlo.convert %operand : (tensor<?x2xf32>) -> tensor<3x?xf64>
  return
}

// -----

func.func @convert_c1_bounded(%operand: tensor<?xi4, #stablehlo.bounds<5>>) {
  %0 = stablehlo.convert %operand : (tensor<?xi4, #stablehlo.bounds<5>>) -> tensor<?xi64, #stablehlo.bounds<5>>
  return
}

// -----

func.func @convert_c1(%operand: tensor<3x2xf32>) {
  // expected-error@+1 {{requires the same shape for all operands and results}}
  %0 = stablehlo.convert %operand : (tensor<3x2xf32>) -> tensor<2x3xi8>
  return
}

// -----

func.func @convert_c1_rank(%operand: tensor<3x2xf32>) {
  // expected-error@+1 {{requires the same shape for all operands and results}}
  %0 = stablehlo.convert %operand : (tensor<3x2xf32>) -> tensor<6xi8>
  return
}

// -----

func.func @convert_i1_quantized(%operand: tensor<3x!quant.uniform<i8:f32, 0.5:1>>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.convert %operand : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3xf32>
  return
}

// -----

func.func @convert_o1_quantized(%operand: tensor<3xf32>) {
  // expected-error@+1 {{result #0 must be ranked tensor of}}
  %0 = stablehlo.convert %operand : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  return
}
