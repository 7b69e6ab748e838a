// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @dynamic_broadcast_in_dim(%operand: tensor<1x3xi32>, %output_dimensions: tensor<3xi64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [2, 1]
      : (tensor<1x3xi32>, tensor<3xi64>) -> tensor<?x3x?xi32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c5_dynamic(%operand: tensor<?x3xi32>, %output_dimensions: tensor<2xindex>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [0, 1]
      : (tensor<?x3xi32>, tensor<2xindex>) -> tensor<?x?xi32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c5_constant(%operand: tensor<1x3xi32>) {
  %output_dimensions = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [0, 1]
      : (tensor<1x3xi32>, tensor<2xi64>) -> tensor<2x3xi32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c6(%operand: tensor<1x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, %output_dimensions: tensor<3xi64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [0, 2]
      : (tensor<1x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, tensor<3xi64>)
      -> tensor<4x3x2x!quant.uniform<i8:f32:2, {0.5, 0.25}>>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c8_c9_c10(%operand: tensor<?x?x3xi32>, %output_dimensions: tensor<3xi64>) {
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%operand, %output_dimensions) {
      broadcast_dimensions = array<i64: 0, 1, 2>,
      known_expanding_dimensions = array<i64: 1>,
      known_nonexpanding_dimensions = array<i64: 2>
    } : (tensor<?x?x3xi32>, tensor<3xi64>) -> tensor<?x?x3xi32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c1(%operand: tensor<1x3xi32>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{expects operand and result to have compatible element type. Got: 'tensor<1x3xi32>' and 'tensor<?x3xf32>'}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [0, 1]
      : (tensor<1x3xi32>, tensor<2xi64>) -> tensor<?x3xf32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c2(%operand: tensor<1x3xi32>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{broadcast_dimensions size (1) does not match operand rank (2)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1]
      : (tensor<1x3xi32>, tensor<2xi64>) -> tensor<?x3xi32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c3(%operand: tensor<1x3xi32>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{broadcast_dimensions contains invalid value 2 for result with rank 2}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [0, 2]
      : (tensor<1x3xi32>, tensor<2xi64>) -> tensor<?x3xi32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c3_rank(%operand: tensor<1x3xi32>, %output_dimensions: tensor<1xi64>) {
  // expected-error@+1 {{result rank (1) is less than operand rank (2)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [0, 1]
      : (tensor<1x3xi32>, tensor<1xi64>) -> tensor<?xi32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c4(%operand: tensor<1x3xi32>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{broadcast_dimensions should not have duplicates}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1, 1]
      : (tensor<1x3xi32>, tensor<2xi64>) -> tensor<?x3xi32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c5(%operand: tensor<2x3xi32>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{size of operand dimension 0 (2) is not compatible with size of result dimension 0 (4)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [0, 1]
      : (tensor<2x3xi32>, tensor<2xi64>) -> tensor<4x3xi32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c5_constant_invalid(%operand: tensor<2x3xi32>) {
  %output_dimensions = stablehlo.constant dense<[4, 3]> : tensor<2xi64>
  // expected-error@+1 {{size of operand dimension 0 (2) is not equal to 1 or value of shape at index 0 (4)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [0, 1]
      : (tensor<2x3xi32>, tensor<2xi64>) -> tensor<?x?xi32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c6_invalid(%operand: tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{result quantization_dimension 0 not same as broadcast_dimensions[1] = 1}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [0, 1]
      : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, tensor<2xi64>)
      -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c6_scale(%operand: tensor<1x3x!quant.uniform<i8:f32:0, {0.5:1}>>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{mismatch result scale 1 (2.500000e-01) and operand scale 0 (5.000000e-01)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [0, 1]
      : (tensor<1x3x!quant.uniform<i8:f32:0, {0.5:1}>>, tensor<2xi64>)
      -> tensor<2x3x!quant.uniform<i8:f32:0, {0.5:1, 0.25:1}>>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c6_zero_point(%operand: tensor<1x3x!quant.uniform<i8:f32:0, {0.5:1}>>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{mismatch result zero_point 1 (2) and operand zero_point 0 (1)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [0, 1]
      : (tensor<1x3x!quant.uniform<i8:f32:0, {0.5:1}>>, tensor<2xi64>)
      -> tensor<2x3x!quant.uniform<i8:f32:0, {0.5:1, 0.5:2}>>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c8(%operand: tensor<1x3xi32>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{duplicate expansion hint for at least one operand dimension}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%operand, %output_dimensions) {
      broadcast_dimensions = array<i64: 0, 1>,
      known_expanding_dimensions = array<i64: 0>,
      known_nonexpanding_dimensions = array<i64: 0, 1>
    } : (tensor<1x3xi32>, tensor<2xi64>) -> tensor<?x3xi32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c9(%operand: tensor<1x3xi32>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{hint for expanding dimension 2 does not refer to a valid operand dimension}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%operand, %output_dimensions) {
      broadcast_dimensions = array<i64: 0, 1>,
      known_expanding_dimensions = array<i64: 2>
    } : (tensor<1x3xi32>, tensor<2xi64>) -> tensor<?x3xi32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c10(%operand: tensor<1x3xi32>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{hint for expanding dimension 3 does not refer to a valid operand dimension}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%operand, %output_dimensions) {
      broadcast_dimensions = array<i64: 0, 1>,
      known_nonexpanding_dimensions = array<i64: 3>
    } : (tensor<1x3xi32>, tensor<2xi64>) -> tensor<?x3xi32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_i2(%operand: tensor<1x3xi32>, %output_dimensions: tensor<1x2xi64>) {
  // expected-error@+1 {{operand #1 must be statically shaped 1-dimensional tensor of}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [0, 1]
      : (tensor<1x3xi32>, tensor<1x2xi64>) -> tensor<?x3xi32>
  return
}
