// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @dynamic_reshape(%operand: tensor<2x6xf32>, %output_shape: tensor<2xi64>) {
  %0 = stablehlo.dynamic_reshape %operand, %output_shape : (tensor<2x6xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  return
}

// -----

func.func @dynamic_reshape_c2_dynamic(%operand: tensor<?xf32>, %output_shape: tensor<2xindex>) {
  %0 = stablehlo.dynamic_reshape %operand, %output_shape : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return
}

// -----

func.func @dynamic_reshape_c2_constant(%operand: tensor<2x6xf32>) {
  %output_shape = stablehlo.constant dense<[4, 3]> : tensor<2xi32>
  %0 = stablehlo.dynamic_reshape %operand, %output_shape : (tensor<2x6xf32>, tensor<2xi32>) -> tensor<4x?xf32>
  return
}

// -----

func.func @dynamic_reshape_c3(%operand: tensor<2x2x3x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, %output_shape: tensor<4xi64>) {
  %0 = stablehlo.dynamic_reshape %operand, %output_shape
      : (tensor<2x2x3x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, tensor<4xi64>)
      -> tensor<1x2x2x3x!quant.uniform<i8:f32:2, {0.5, 0.25}>>
  return
}

// -----

func.func @dynamic_reshape_c1(%operand: tensor<2x6xf32>, %output_shape: tensor<2xi64>) {
  // expected-error@+1 {{expects operand and result to have compatible element type. Got: 'tensor<2x6xf32>' and 'tensor<?x4xf64>'}}
  %0 = stablehlo.dynamic_reshape %operand, %output_shape : (tensor<2x6xf32>, tensor<2xi64>) -> tensor<?x4xf64>
  return
}

// -----

func.func @dynamic_reshape_c1_quantized(%operand: tensor<6x!quant.uniform<i8:f32, 0.5>>, %output_shape: tensor<2xi64>) {
  // expected-error@+1 {{expect same quantization scale and zero_point but got 'tensor<6x!quant.uniform<i8:f32, 5.000000e-01>>' vs 'tensor<2x3x!quant.uniform<i8:f32, 2.500000e-01>>'}}
  %0 = stablehlo.dynamic_reshape %operand, %output_shape
      : (tensor<6x!quant.uniform<i8:f32, 0.5>>, tensor<2xi64>) -> tensor<2x3x!quant.uniform<i8:f32, 0.25>>
  return
}

// -----

func.func @dynamic_reshape_c1_per_axis(%operand: tensor<6x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, %output_shape: tensor<3xi64>) {
  // expected-error@+1 {{expect same quantization scales and zero_points but got 'tensor<6x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>' vs 'tensor<3x2x2x!quant.uniform<i8:f32:2, {5.000000e-01,1.250000e-01}>>'}}
  %0 = stablehlo.dynamic_reshape %operand, %output_shape
      : (tensor<6x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, tensor<3xi64>)
      -> tensor<3x2x2x!quant.uniform<i8:f32:2, {0.5, 0.125}>>
  return
}

// -----

func.func @dynamic_reshape_c2(%operand: tensor<2x6xf32>, %output_shape: tensor<2xi64>) {
  // expected-error@+1 {{number of output elements (9) doesn't match expected number of elements (12)}}
  %0 = stablehlo.dynamic_reshape %operand, %output_shape : (tensor<2x6xf32>, tensor<2xi64>) -> tensor<3x3xf32>
  return
}

// -----

func.func @dynamic_reshape_c2_constant_invalid(%operand: tensor<2x6xf32>) {
  %output_shape = stablehlo.constant dense<[5, 3]> : tensor<2xi32>
  // expected-error@+1 {{output_shape is incompatible with input type of operation: input has 12 elements, but output_shape has 15}}
  %0 = stablehlo.dynamic_reshape %operand, %output_shape : (tensor<2x6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @dynamic_reshape_c2_result(%operand: tensor<2x6xf32>) {
  %output_shape = stablehlo.constant dense<[4, 3]> : tensor<2xi32>
  // expected-error@+1 {{output shape [4, 3] is incompatible with return type of operation 'tensor<3x?xf32>'}}
  %0 = stablehlo.dynamic_reshape %operand, %output_shape : (tensor<2x6xf32>, tensor<2xi32>) -> tensor<3x?xf32>
  return
}

// -----

func.func @dynamic_reshape_c3_before(%operand: tensor<2x2x3x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, %output_shape: tensor<2xi64>) {
  // expected-error@+1 {{product of dimensions before quantization dimension must match between operand and result for 2 and 1}}
  %0 = stablehlo.dynamic_reshape %operand, %output_shape
      : (tensor<2x2x3x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, tensor<2xi64>)
      -> tensor<2x6x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// -----

func.func @dynamic_reshape_c3_size(%operand: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, %output_shape: tensor<2xi64>) {
  // expected-error@+1 {{expect same quantization dimension size for operand and result 'tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>' and 'tensor<4x1x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01,5.000000e-01,2.500000e-01}>>'}}
  %0 = stablehlo.dynamic_reshape %operand, %output_shape
      : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, tensor<2xi64>)
      -> tensor<4x1x!quant.uniform<i8:f32:0, {0.5, 0.25, 0.5, 0.25}>>
  return
}

// -----

func.func @dynamic_reshape_c4(%operand: tensor<2x6xf32>, %output_shape: tensor<3xi64>) {
  // expected-error@+1 {{result should have a rank equal to the number of elements in output_shape}}
  %0 = stablehlo.dynamic_reshape %operand, %output_shape : (tensor<2x6xf32>, tensor<3xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @dynamic_reshape_i2(%operand: tensor<2x6xf32>, %output_shape: tensor<?xi64>) {
  // expected-error@+1 {{operand #1 must be statically shaped 1-dimensional tensor of}}
  %0 = stablehlo.dynamic_reshape %operand, %output_shape : (tensor<2x6xf32>, tensor<?xi64>) -> tensor<?x?xf32>
  return
}
