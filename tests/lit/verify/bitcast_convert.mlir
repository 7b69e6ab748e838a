// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @bitcast_convert(%operand: tensor<3xf32>) {
  %0 = stablehlo.bitcast_convert %operand : (tensor<3xf32>) -> tensor<3xi32>
  return
}

// -----

func.func @bitcast_convert_c1_smaller(%operand: tensor<3xi32>) {
  %0 = stablehlo.bitcast_convert %operand : (tensor<3xi32>) -> tensor<3x4xui8>
  return
}

// -----

func.func @bitcast_convert_c1_larger(%operand: tensor<5x2xf16>) {
  %0 = stablehlo.bitcast_convert %operand : (tensor<5x2xf16>) -> tensor<5xi32>
  return
}

// -----

func.func @bitcast_convert_c1_dynamic(%operand: tensor<?xi32>) {
  %0 = stablehlo.bitcast_convert %operand : (tensor<?xi32>) -> tensor<3x?xi8>
  return
}

// -----

func.func @bitcast_convert_c1_quantized(%operand: tensor<3xi8>) {
  %0 = stablehlo.bitcast_convert %operand : (tensor<3xi8>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  return
}

// -----

func.func @bitcast_convert_c2(%operand: tensor<3xcomplex<f32>>) {
  %0 = stablehlo.bitcast_convert %operand : (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  return
}

// -----

func.func @bitcast_convert_c1_shape(%operand: tensor<3xf32>) {
  // expected-error@+1 {{operand and result shapes must match except for the innermost dimension of the shape with the smaller element type. Got: 'tensor<3xf32>' and 'tensor<4xi32>'.}}
  %0 = stablehlo.bitcast_convert %operand : (tensor<3xf32>) -> tensor<4xi32>
  return
}

// -----

func.func @bitcast_convert_c1_rank(%operand: tensor<3xi32>) {
  // expected-error@+1 {{rank of smaller element type (1) should be 1 more than rank of larger element type (1), but 1 != 1 + 1.}}
  %0 = stablehlo.bitcast_convert %operand : (tensor<3xi32>) -> tensor<3xi8>
  return
}

// -----

func.func @bitcast_convert_c1_width(%operand: tensor<3xi32>) {
  // expected-error@+1 {{requires compatible bit widths. Got: 'tensor<3xi32>' and 'tensor<3x2xi8>', but 8 * 2 != 32.}}
  %0 = stablehlo.bitcast_convert %operand : (tensor<3xi32>) -> tensor<3x2xi8>
  return
}

// -----

func.func @bitcast_convert_c1_larger_invalid(%operand: tensor<5x4xf16>) {
  // expected-error@+1 {{requires compatible bit widths. Got: 'tensor<5x4xf16>' and 'tensor<5xi32>', but 16 * 4 != 32.}}
  %0 = stablehlo.bitcast_convert %operand : (tensor<5x4xf16>) -> tensor<5xi32>
  return
}

// -----

func.func @bitcast_convert_c1_leading(%operand: tensor<3xi32>) {
  // expected-error@+1 {{operand and result shapes must match except for the innermost dimension of the shape with the smaller element type. Got: 'tensor<3xi32>' and 'tensor<2x4xi8>'.}}
  %0 = stablehlo.bitcast_convert %operand : (tensor<3xi32>) -> tensor<2x4xi8>
  return
}

// -----

func.func @bitcast_convert_c2_invalid(%operand: tensor<3xcomplex<f32>>) {
  // expected-error@+1 {{cannot convert between real and complex types, but got: 'tensor<3xcomplex<f32>>' and 'tensor<3xi64>'}}
  %0 = stablehlo.bitcast_convert %operand : (tensor<3xcomplex<f32>>) -> tensor<3xi64>
  return
}

// -----

func.func @bitcast_convert_c2_result(%operand: tensor<3xi64>) {
  // expected-error@+1 {{cannot convert between real and complex types, but got: 'tensor<3xi64>' and 'tensor<3xcomplex<f32>>'}}
  %0 = stablehlo.bitcast_convert %operand : (tensor<3xi64>) -> tensor<3xcomplex<f32>>
  return
}
