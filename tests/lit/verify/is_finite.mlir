// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @is_finite(%x: tensor<4x4xf32>) {
  %0 = stablehlo.is_finite %x : (tensor<4x4xf32>) -> tensor<4x4xi1>
  return
}

// -----

func.func @is_finite_c1_dynamic(%x: tensor<4x?xf64>) {
  %0 = stablehlo.is_finite %x : (tensor<4x?xf64>) -> tensor<?x4xi1>
  return
}

// -----

func.func @is_finite_c1_bounded(%x: tensor<?xf64, #stablehlo.bounds<4>>) {
  %0 = stablehlo.is_finite %x : (tensor<?xf64, #stablehlo.bounds<4>>) -> tensor<?xi1, #stablehlo.bounds<4>>
  return
}

// -----

func.func @is_finite_c1_quantized(%x: tensor<3x!quant.uniform<i8:f32, 0.5:1>>) {
  %0 = stablehlo.is_finite %x : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3xi1>
  return
}

// -----

func.func @is_finite_c1(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = stablehlo.is_finite %x : (tensor<4x4xf32>) -> tensor<4x5xi1>
  return
}

// -----

func.func @is_finite_c1_bounds(%x: tensor<?xf64, #stablehlo.bounds<4>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<?xi1, #stablehlo.bounds<4>>' are incompatible with return type(s) of operation 'tensor<8xi1>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.is_finite %x : (tensor<?xf64, #stablehlo.bounds<4>>) -> tensor<8xi1>
  return
}

// -----

func.func @is_finite_i1(%x: tensor<4xi32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.is_finite %x : (tensor<4xi32>) -> tensor<4xi1>
  return
}

// -----

func.func @is_finite_o1(%x: tensor<4xf32>) {
  // expected-error@+1 {{result #0 must be ranked tensor of}}
  %0 = stablehlo.is_finite %x : (tensor<4xf32>) -> tensor<4xi8>
  return
}
