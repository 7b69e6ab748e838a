// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @minimum(%lhs: tensor<6x2xf16>, %rhs: tensor<6x2xf16>) {
  %0 = stablehlo.minimum %lhs, %rhs : tensor<6x2xf16>
  return
}

// -----

func.func @minimum_complex(%lhs: tensor<6x2xcomplex<f32>>, %rhs: tensor<6x2xcomplex<f32>>) {
  %0 = stablehlo.minimum %lhs, %rhs : tensor<6x2xcomplex<f32>>
  return
}

// -----

func.func @minimum_c1_dynamic(%lhs: tensor<?x5xf16>, %rhs: tensor<3x?xf16>) {
  %0 = stablehlo.minimum %lhs, %rhs : (tensor<?x5xf16>, tensor<3x?xf16>) -> tensor<?x5xf16>
  return
}

// -----

func.func @minimum_c1_bounded(%lhs: tensor<?xf16, #stablehlo.bounds<7>>, %rhs: tensor<?xf16>) {
  %0 = stablehlo.minimum %lhs, %rhs
      : (tensor<?xf16, #stablehlo.bounds<7>>, tensor<?xf16>) -> tensor<?xf16, #stablehlo.bounds<7>>
  return
}

// -----

func.func @minimum_c1_quantized(%lhs: tensor<6x2x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<6x2x!quant.uniform<i8:f32, 1.5:-7>>) {
  %0 = stablehlo.minimum %lhs, %rhs
      : (tensor<6x2x!quant.uniform<i8:f32, 0.25:3>>, tensor<6x2x!quant.uniform<i8:f32, 1.5:-7>>)
      -> tensor<6x2x!quant.uniform<i8:f32, 2.0>>
  return
}

// -----

func.func @minimum_c1_lhs_shape(%lhs: tensor<6x4xf16>, %rhs: tensor<6x2xf16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.minimum %lhs, %rhs : (tensor<6x4xf16>, tensor<6x2xf16>) -> tensor<6x2xf16>
  return
}

// -----

func.func @minimum_c1_rhs_element_type(%lhs: tensor<6x2xf16>, %rhs: tensor<6x2xbf16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.minimum %lhs, %rhs : (tensor<6x2xf16>, tensor<6x2xbf16>) -> tensor<6x2xf16>
  return
}

// -----

func.func @minimum_c1_result_shape(%lhs: tensor<6x2xf16>, %rhs: tensor<6x2xf16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.minimum %lhs, %rhs : (tensor<6x2xf16>, tensor<6x2xf16>) -> tensor<6x4xf16>
  return
}

// -----

func.func @minimum_c1_result_element_type(%lhs: tensor<6x2xf16>, %rhs: tensor<6x2xf16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.minimum %lhs, %rhs : (tensor<6x2xf16>, tensor<6x2xf16>) -> tensor<6x2xbf16>
  return
}

// -----

// There is no implicit broadcasting.
func.func @minimum_c1_scalar(%lhs: tensor<6x2xf16>, %rhs: tensor<f16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.minimum %lhs, %rhs : (tensor<6x2xf16>, tensor<f16>) -> tensor<6x2xf16>
  return
}

// -----

func.func @minimum_c1_bounds(%lhs: tensor<?xf16, #stablehlo.bounds<4>>, %rhs: tensor<5xf16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.minimum %lhs, %rhs : (tensor<?xf16, #stablehlo.bounds<4>>, tensor<5xf16>) -> tensor<?xf16>
  return
}

// -----

func.func @minimum_c1_quantized_and_not(%lhs: tensor<6x2x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<6x2xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.minimum %lhs, %rhs
      : (tensor<6x2x!quant.uniform<i8:f32, 0.25:3>>, tensor<6x2xf32>) -> tensor<6x2x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @minimum_c1_storage_type(%lhs: tensor<6x2x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<6x2x!quant.uniform<u8:f32, 0.25:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.minimum %lhs, %rhs
      : (tensor<6x2x!quant.uniform<i8:f32, 0.25:3>>, tensor<6x2x!quant.uniform<u8:f32, 0.25:3>>)
      -> tensor<6x2x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @minimum_i2_token(%lhs: tensor<6x2xf16>, %rhs: !stablehlo.token) {
  // expected-error@+1 {{operand #1 must be ranked tensor of}}
  %0 = "stablehlo.minimum"(%lhs, %rhs) : (tensor<6x2xf16>, !stablehlo.token) -> tensor<6x2xf16>
  return
}
