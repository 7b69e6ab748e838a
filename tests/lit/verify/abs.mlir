// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @abs(%operand: tensor<3x5xi32>) {
  %0 = stablehlo.abs %operand : tensor<3x5xi32>
  return
}

// -----

func.func @abs_complex(%operand: tensor<4xcomplex<f64>>) {
  %0 = stablehlo.abs %operand : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  return
}

// -----

func.func @abs_c1_dynamic(%operand: tensor<?x5xf16>) {
  %0 = stablehlo.abs %operand : (tensor<?x5xf16>) -> tensor<3x?xf16>
  return
}

// -----

func.func @abs_c1_bounded(%operand: tensor<?xf32, #stablehlo.bounds<9>>) {
  %0 = stablehlo.abs %operand : tensor<?xf32, #stablehlo.bounds<9>>
  return
}

// -----

// Scale and zero point are not part of the baseline element type.
func.func @abs_c2_quantized(%operand: tensor<2x!quant.uniform<i8:f32, 0.5:1>>) {
  %0 = stablehlo.abs %operand : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x!quant.uniform<i8:f32, 4.0:-2>>
  return
}

// -----

func.func @abs_c1(%operand: tensor<3x5xi32>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = stablehlo.abs %operand : (tensor<3x5xi32>) -> tensor<5x3xi32>
  return
}

// -----

func.func @abs_c1_bounds(%operand: tensor<?xf32, #stablehlo.bounds<9>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<?xf32, #stablehlo.bounds<9>>' are incompatible with return type(s) of operation 'tensor<10xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.abs %operand : (tensor<?xf32, #stablehlo.bounds<9>>) -> tensor<10xf32>
  return
}

// -----

func.func @abs_c2(%operand: tensor<3x5xi32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<3x5xi32>' are incompatible with return type(s) of operation 'tensor<3x5xi64>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.abs %operand : (tensor<3x5xi32>) -> tensor<3x5xi64>
  return
}

// -----

func.func @abs_c2_complex(%operand: tensor<4xcomplex<f64>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4xf64>' are incompatible with return type(s) of operation 'tensor<4xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.abs %operand : (tensor<4xcomplex<f64>>) -> tensor<4xf32>
  return
}

// -----

func.func @abs_c2_complex_result(%operand: tensor<4xcomplex<f32>>) {
  // expected-error@+1 {{result #0 must be ranked tensor of}}
  %0 = stablehlo.abs %operand : tensor<4xcomplex<f32>>
  return
}

// -----

func.func @abs_c2_quantized_invalid(%operand: tensor<2x!quant.uniform<i8:f32, 0.5:1>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>' are incompatible with return type(s) of operation 'tensor<2xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.abs %operand : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2xf32>
  return
}

// -----

func.func @abs_c2_storage_type(%operand: tensor<2x!quant.uniform<i8:f32, 0.5:1>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>' are incompatible with return type(s) of operation 'tensor<2x!quant.uniform<i16:f32, 5.000000e-01:1>>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.abs %operand : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x!quant.uniform<i16:f32, 0.5:1>>
  return
}

// -----

func.func @abs_i1_ui32(%operand: tensor<3x5xui32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.abs %operand : tensor<3x5xui32>
  return
}

// -----

func.func @abs_i1_i1(%operand: tensor<3x5xi1>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.abs %operand : tensor<3x5xi1>
  return
}
