// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @subtract(%lhs: tensor<10xui8>, %rhs: tensor<10xui8>) {
  %0 = stablehlo.subtract %lhs, %rhs : tensor<10xui8>
  return
}

// -----

func.func @subtract_complex(%lhs: tensor<10xcomplex<f32>>, %rhs: tensor<10xcomplex<f32>>) {
  %0 = stablehlo.subtract %lhs, %rhs : tensor<10xcomplex<f32>>
  return
}

// -----

func.func @subtract_c1_dynamic(%lhs: tensor<?x5xui8>, %rhs: tensor<3x?xui8>) {
  %0 = stablehlo.subtract %lhs, %rhs : (tensor<?x5xui8>, tensor<3x?xui8>) -> tensor<?x5xui8>
  return
}

// -----

func.func @subtract_c1_bounded(%lhs: tensor<?xui8, #stablehlo.bounds<7>>, %rhs: tensor<?xui8>) {
  %0 = stablehlo.subtract %lhs, %rhs
      : (tensor<?xui8, #stablehlo.bounds<7>>, tensor<?xui8>) -> tensor<?xui8, #stablehlo.bounds<7>>
  return
}

// -----

func.func @subtract_c1_quantized(%lhs: tensor<10x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<10x!quant.uniform<i8:f32, 1.5:-7>>) {
  %0 = stablehlo.subtract %lhs, %rhs
      : (tensor<10x!quant.uniform<i8:f32, 0.25:3>>, tensor<10x!quant.uniform<i8:f32, 1.5:-7>>)
      -> tensor<10x!quant.uniform<i8:f32, 2.0>>
  return
}

// -----

func.func @subtract_c1_lhs_shape(%lhs: tensor<12xui8>, %rhs: tensor<10xui8>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.subtract %lhs, %rhs : (tensor<12xui8>, tensor<10xui8>) -> tensor<10xui8>
  return
}

// -----

func.func @subtract_c1_rhs_element_type(%lhs: tensor<10xui8>, %rhs: tensor<10xi8>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.subtract %lhs, %rhs : (tensor<10xui8>, tensor<10xi8>) -> tensor<10xui8>
  return
}

// -----

func.func @subtract_c1_result_shape(%lhs: tensor<10xui8>, %rhs: tensor<10xui8>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.subtract %lhs, %rhs : (tensor<10xui8>, tensor<10xui8>) -> tensor<12xui8>
  return
}

// -----

func.func @subtract_c1_result_element_type(%lhs: tensor<10xui8>, %rhs: tensor<10xui8>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.subtract %lhs, %rhs : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi8>
  return
}

// -----

// There is no implicit broadcasting.
func.func @subtract_c1_scalar(%lhs: tensor<10xui8>, %rhs: tensor<ui8>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.subtract %lhs, %rhs : (tensor<10xui8>, tensor<ui8>) -> tensor<10xui8>
  return
}

// -----

func.func @subtract_c1_bounds(%lhs: tensor<?xui8, #stablehlo.bounds<4>>, %rhs: tensor<5xui8>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.subtract %lhs, %rhs : (tensor<?xui8, #stablehlo.bounds<4>>, tensor<5xui8>) -> tensor<?xui8>
  return
}

// -----

func.func @subtract_c1_quantized_and_not(%lhs: tensor<10x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<10xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.subtract %lhs, %rhs
      : (tensor<10x!quant.uniform<i8:f32, 0.25:3>>, tensor<10xf32>) -> tensor<10x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @subtract_c1_storage_type(%lhs: tensor<10x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<10x!quant.uniform<u8:f32, 0.25:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.subtract %lhs, %rhs
      : (tensor<10x!quant.uniform<i8:f32, 0.25:3>>, tensor<10x!quant.uniform<u8:f32, 0.25:3>>)
      -> tensor<10x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @subtract_i1_i1(%lhs: tensor<10xi1>, %rhs: tensor<10xi1>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.subtract %lhs, %rhs : tensor<10xi1>
  return
}

// -----

func.func @subtract_i2_token(%lhs: tensor<10xui8>, %rhs: !stablehlo.token) {
  // expected-error@+1 {{operand #1 must be ranked tensor of}}
  %0 = "stablehlo.subtract"(%lhs, %rhs) : (tensor<10xui8>, !stablehlo.token) -> tensor<10xui8>
  return
}
