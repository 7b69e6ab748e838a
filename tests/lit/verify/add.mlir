// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @add(%lhs: tensor<2x6xi32>, %rhs: tensor<2x6xi32>) {
  %0 = stablehlo.add %lhs, %rhs : tensor<2x6xi32>
  return
}

// -----

func.func @add_boolean(%lhs: tensor<9xi1>, %rhs: tensor<9xi1>) {
  %0 = stablehlo.add %lhs, %rhs : tensor<9xi1>
  return
}

// -----

func.func @add_c1_dynamic(%lhs: tensor<?x6xf32>, %rhs: tensor<2x?xf32>) {
  %0 = stablehlo.add %lhs, %rhs : (tensor<?x6xf32>, tensor<2x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @add_c1_bounded(%lhs: tensor<?xf32, #stablehlo.bounds<8>>, %rhs: tensor<?xf32, #stablehlo.bounds<8>>) {
  %0 = stablehlo.add %lhs, %rhs : tensor<?xf32, #stablehlo.bounds<8>>
  return
}

// -----

func.func @add_c2_c3_c4(%lhs: tensor<5x!quant.uniform<i8:f32, 0.5:1>>, %rhs: tensor<5x!quant.uniform<i8:f32, 0.25>>) {
  %0 = stablehlo.add %lhs, %rhs
      : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>, tensor<5x!quant.uniform<i8:f32, 0.25>>)
      -> tensor<5x!quant.uniform<i8:f32, 2.0:-3>>
  return
}

// -----

func.func @add_c5_c6(%lhs: tensor<4x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, %rhs: tensor<4x2x!quant.uniform<i8:f32, 0.25>>) {
  %0 = stablehlo.add %lhs, %rhs
      : (tensor<4x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, tensor<4x2x!quant.uniform<i8:f32, 0.25>>)
      -> tensor<4x2x!quant.uniform<i8:f32:1, {1.0, 2.0}>>
  return
}

// -----

func.func @add_c5_c6_c7(%lhs: tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, %rhs: tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  %0 = stablehlo.add %lhs, %rhs : tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// -----

// Only rhs is quantized per axis: the spec allows it, inference takes the type of lhs and refuses.
func.func @add_c7_rhs_only_gap(%lhs: tensor<2x3x!quant.uniform<i8:f32, 0.25>>, %rhs: tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<2x3x!quant.uniform<i8:f32, 2.500000e-01>>' are incompatible with return type(s) of operation 'tensor<2x3x!quant.uniform<i8:f32:0, {1.000000e+00,2.000000e+00}>>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.add %lhs, %rhs
      : (tensor<2x3x!quant.uniform<i8:f32, 0.25>>, tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>)
      -> tensor<2x3x!quant.uniform<i8:f32:0, {1.0, 2.0}>>
  return
}

// -----

func.func @add_c1_shape(%lhs: tensor<2x6xi32>, %rhs: tensor<2x7xi32>) {
  // expected-error@+1 {{requires the same shape for all operands and results}}
  %0 = stablehlo.add %lhs, %rhs : (tensor<2x6xi32>, tensor<2x7xi32>) -> tensor<2x6xi32>
  return
}

// -----

func.func @add_c1_result_shape(%lhs: tensor<2x6xi32>, %rhs: tensor<2x6xi32>) {
  // expected-error@+1 {{requires the same shape for all operands and results}}
  %0 = stablehlo.add %lhs, %rhs : (tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<6x2xi32>
  return
}

// -----

func.func @add_c1_element_type(%lhs: tensor<2x6xi32>, %rhs: tensor<2x6xui32>) {
  // expected-error@+1 {{op requires the same element type for all operands and results}}
  %0 = stablehlo.add %lhs, %rhs : (tensor<2x6xi32>, tensor<2x6xui32>) -> tensor<2x6xi32>
  return
}

// -----

func.func @add_c1_result_element_type(%lhs: tensor<2x6xf32>, %rhs: tensor<2x6xf32>) {
  // expected-error@+1 {{op requires the same element type for all operands and results}}
  %0 = stablehlo.add %lhs, %rhs : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf64>
  return
}

// -----

func.func @add_c2(%lhs: tensor<5x!quant.uniform<i8:f32, 0.5:1>>, %rhs: tensor<5xf32>) {
  // expected-error@+1 {{expects  all operands and results to be either quantized or non-quantized}}
  %0 = stablehlo.add %lhs, %rhs
      : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>, tensor<5xf32>) -> tensor<5x!quant.uniform<i8:f32, 2.0:-3>>
  return
}

// -----

func.func @add_c2_result(%lhs: tensor<5x!quant.uniform<i8:f32, 0.5:1>>, %rhs: tensor<5x!quant.uniform<i8:f32, 0.5:1>>) {
  // expected-error@+1 {{expects  all operands and results to be either quantized or non-quantized}}
  %0 = stablehlo.add %lhs, %rhs
      : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>, tensor<5x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<5xf32>
  return
}

// -----

func.func @add_c3(%lhs: tensor<5x!quant.uniform<i8:f32, 0.5:1>>, %rhs: tensor<5x!quant.uniform<i4:f32, 0.5:1>>) {
  // expected-error@+1 {{mismatched operands and result quantization storage types}}
  %0 = stablehlo.add %lhs, %rhs
      : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>, tensor<5x!quant.uniform<i4:f32, 0.5:1>>)
      -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  return
}

// -----

func.func @add_c4(%lhs: tensor<5x!quant.uniform<i8:f32, 0.5:1>>, %rhs: tensor<5x!quant.uniform<i8:f16, 0.5:1>>) {
  // expected-error@+1 {{mismatched operands and result quantization expressed types}}
  %0 = stablehlo.add %lhs, %rhs
      : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>, tensor<5x!quant.uniform<i8:f16, 0.5:1>>)
      -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  return
}

// -----

func.func @add_c5(%lhs: tensor<4x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, %rhs: tensor<4x2x!quant.uniform<i8:f32, 0.25>>) {
  // expected-error@+1 {{result is not per_axis quantized but lhs or rhs are}}
  %0 = stablehlo.add %lhs, %rhs
      : (tensor<4x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, tensor<4x2x!quant.uniform<i8:f32, 0.25>>)
      -> tensor<4x2x!quant.uniform<i8:f32, 1.0>>
  return
}

// -----

func.func @add_c5_result(%lhs: tensor<4x2x!quant.uniform<i8:f32, 0.5>>, %rhs: tensor<4x2x!quant.uniform<i8:f32, 0.25>>) {
  // expected-error@+1 {{result per_axis quantized but none from rhs and lhs are per_axis quantized}}
  %0 = stablehlo.add %lhs, %rhs
      : (tensor<4x2x!quant.uniform<i8:f32, 0.5>>, tensor<4x2x!quant.uniform<i8:f32, 0.25>>)
      -> tensor<4x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}

// -----

func.func @add_c6(%lhs: tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, %rhs: tensor<2x2x!quant.uniform<i8:f32, 0.25>>) {
  // expected-error@+1 {{quantization_dimension of lhs and result are not same '!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>' vs '!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>'}}
  %0 = stablehlo.add %lhs, %rhs
      : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, tensor<2x2x!quant.uniform<i8:f32, 0.25>>)
      -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// -----

func.func @add_c7(%lhs: tensor<2x2x!quant.uniform<i8:f32, 0.25>>, %rhs: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{quantization_dimension of rhs and result are not same '!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>' vs '!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>'}}
  %0 = stablehlo.add %lhs, %rhs
      : (tensor<2x2x!quant.uniform<i8:f32, 0.25>>, tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>)
      -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}

// -----

func.func @add_i1_token(%lhs: !stablehlo.token, %rhs: tensor<5xf32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = "stablehlo.add"(%lhs, %rhs) : (!stablehlo.token, tensor<5xf32>) -> tensor<5xf32>
  return
}
