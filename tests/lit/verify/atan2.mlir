// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @atan2(%lhs: tensor<4xf32>, %rhs: tensor<4xf32>) {
  %0 = stablehlo.atan2 %lhs, %rhs : tensor<4xf32>
  return
}

// -----

func.func @atan2_complex(%lhs: tensor<4xcomplex<f32>>, %rhs: tensor<4xcomplex<f32>>) {
  %0 = stablehlo.atan2 %lhs, %rhs : tensor<4xcomplex<f32>>
  return
}

// -----

func.func @atan2_c1_dynamic(%lhs: tensor<?xf32>, %rhs: tensor<?xf32>) {
  %0 = stablehlo.atan2 %lhs, %rhs : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @atan2_c1_bounded(%lhs: tensor<?xf32, #stablehlo.bounds<7>>, %rhs: tensor<?xf32>) {
  %0 = stablehlo.atan2 %lhs, %rhs
      : (tensor<?xf32, #stablehlo.bounds<7>>, tensor<?xf32>) -> tensor<?xf32, #stablehlo.bounds<7>>
  return
}

// -----

func.func @atan2_c1_quantized(%lhs: tensor<4x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<4x!quant.uniform<i8:f32, 1.5:-7>>) {
  %0 = stablehlo.atan2 %lhs, %rhs
      : (tensor<4x!quant.uniform<i8:f32, 0.25:3>>, tensor<4x!quant.uniform<i8:f32, 1.5:-7>>)
      -> tensor<4x!quant.uniform<i8:f32, 2.0>>
  return
}

// -----

func.func @atan2_c1_lhs_shape(%lhs: tensor<5xf32>, %rhs: tensor<4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.atan2 %lhs, %rhs : (tensor<5xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @atan2_c1_rhs_element_type(%lhs: tensor<4xf32>, %rhs: tensor<4xf64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.atan2 %lhs, %rhs : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @atan2_c1_result_shape(%lhs: tensor<4xf32>, %rhs: tensor<4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.atan2 %lhs, %rhs : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @atan2_c1_result_element_type(%lhs: tensor<4xf32>, %rhs: tensor<4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.atan2 %lhs, %rhs : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

// There is no implicit broadcasting.
func.func @atan2_c1_scalar(%lhs: tensor<4xf32>, %rhs: tensor<f32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.atan2 %lhs, %rhs : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @atan2_c1_bounds(%lhs: tensor<?xf32, #stablehlo.bounds<4>>, %rhs: tensor<5xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.atan2 %lhs, %rhs : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<5xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @atan2_c1_quantized_and_not(%lhs: tensor<4x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.atan2 %lhs, %rhs
      : (tensor<4x!quant.uniform<i8:f32, 0.25:3>>, tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @atan2_c1_storage_type(%lhs: tensor<4x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<4x!quant.uniform<u8:f32, 0.25:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.atan2 %lhs, %rhs
      : (tensor<4x!quant.uniform<i8:f32, 0.25:3>>, tensor<4x!quant.uniform<u8:f32, 0.25:3>>)
      -> tensor<4x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @atan2_i1_i32(%lhs: tensor<4xi32>, %rhs: tensor<4xi32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.atan2 %lhs, %rhs : tensor<4xi32>
  return
}

// -----

func.func @atan2_i2_token(%lhs: tensor<4xf32>, %rhs: !stablehlo.token) {
  // expected-error@+1 {{operand #1 must be ranked tensor of}}
  %0 = "stablehlo.atan2"(%lhs, %rhs) : (tensor<4xf32>, !stablehlo.token) -> tensor<4xf32>
  return
}
