// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @clamp(%min: tensor<3xf32>, %operand: tensor<3xf32>, %max: tensor<3xf32>) {
  %0 = stablehlo.clamp %min, %operand, %max : tensor<3xf32>
  return
}

// -----

func.func @clamp_c1_c2_scalar(%min: tensor<i32>, %operand: tensor<2x3xi32>, %max: tensor<i32>) {
  %0 = stablehlo.clamp %min, %operand, %max : (tensor<i32>, tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @clamp_c1_c2_dynamic(%min: tensor<?xf32>, %operand: tensor<3xf32>, %max: tensor<f32>) {
  %0 = stablehlo.clamp %min, %operand, %max : (tensor<?xf32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @clamp_c4_bounded(%min: tensor<f32>, %operand: tensor<?xf32, #stablehlo.bounds<6>>, %max: tensor<f32>) {
  %0 = stablehlo.clamp %min, %operand, %max
      : (tensor<f32>, tensor<?xf32, #stablehlo.bounds<6>>, tensor<f32>) -> tensor<?xf32, #stablehlo.bounds<6>>
  return
}

// -----

func.func @clamp_c3_c4_quantized(%min: tensor<!quant.uniform<i8:f32, 0.5>>, %operand: tensor<3x!quant.uniform<i8:f32, 0.25:2>>, %max: tensor<!quant.uniform<i8:f32, 0.5:9>>) {
  %0 = stablehlo.clamp %min, %operand, %max
      : (tensor<!quant.uniform<i8:f32, 0.5>>, tensor<3x!quant.uniform<i8:f32, 0.25:2>>, tensor<!quant.uniform<i8:f32, 0.5:9>>)
      -> tensor<3x!quant.uniform<i8:f32, 1.0>>
  return
}

// -----

func.func @clamp_c1(%min: tensor<2xf32>, %operand: tensor<3xf32>, %max: tensor<3xf32>) {
  // expected-error@+2 {{min shape [2] is not scalar and is not compatible to operand shape [3]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.clamp %min, %operand, %max : (tensor<2xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @clamp_c2(%min: tensor<3xf32>, %operand: tensor<3xf32>, %max: tensor<1xf32>) {
  // expected-error@+2 {{max shape [1] is not scalar and is not compatible to operand shape [3]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.clamp %min, %operand, %max : (tensor<3xf32>, tensor<3xf32>, tensor<1xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @clamp_c3_min(%min: tensor<3xf64>, %operand: tensor<3xf32>, %max: tensor<3xf32>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = stablehlo.clamp %min, %operand, %max : (tensor<3xf64>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @clamp_c3_max(%min: tensor<3xi32>, %operand: tensor<3xi32>, %max: tensor<3xui32>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = stablehlo.clamp %min, %operand, %max : (tensor<3xi32>, tensor<3xi32>, tensor<3xui32>) -> tensor<3xi32>
  return
}

// -----

func.func @clamp_c4_element_type(%min: tensor<3xf32>, %operand: tensor<3xf32>, %max: tensor<3xf32>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = stablehlo.clamp %min, %operand, %max : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf64>
  return
}

// -----

func.func @clamp_c4_shape(%min: tensor<3xf32>, %operand: tensor<3xf32>, %max: tensor<3xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<3xf32>' are incompatible with return type(s) of operation 'tensor<4xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.clamp %min, %operand, %max : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<4xf32>
  return
}
