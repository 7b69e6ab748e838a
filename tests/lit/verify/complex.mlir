// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @complex(%lhs: tensor<3xf32>, %rhs: tensor<3xf32>) {
  %0 = stablehlo.complex %lhs, %rhs : tensor<3xcomplex<f32>>
  return
}

// -----

func.func @complex_c1_dynamic(%lhs: tensor<?xf64>, %rhs: tensor<3xf64>) {
  %0 = stablehlo.complex %lhs, %rhs : (tensor<?xf64>, tensor<3xf64>) -> tensor<?xcomplex<f64>>
  return
}

// -----

func.func @complex_c2_bounded(%lhs: tensor<?xf64, #stablehlo.bounds<4>>, %rhs: tensor<?xf64, #stablehlo.bounds<4>>) {
  %0 = stablehlo.complex %lhs, %rhs
      : (tensor<?xf64, #stablehlo.bounds<4>>, tensor<?xf64, #stablehlo.bounds<4>>)
      -> tensor<?xcomplex<f64>, #stablehlo.bounds<4>>
  return
}

// -----

func.func @complex_c1_element_type(%lhs: tensor<3xf32>, %rhs: tensor<3xf64>) {
  // expected-error@+1 {{requires the same element type for all operands}}
  %0 = stablehlo.complex %lhs, %rhs : (tensor<3xf32>, tensor<3xf64>) -> tensor<3xcomplex<f32>>
  return
}

// -----

func.func @complex_c1_shape(%lhs: tensor<3xf32>, %rhs: tensor<4xf32>) {
  // expected-error@+1 {{requires the same shape for all operands and results}}
  %0 = stablehlo.complex %lhs, %rhs : (tensor<3xf32>, tensor<4xf32>) -> tensor<3xcomplex<f32>>
  return
}

// -----

func.func @complex_c2(%lhs: tensor<3xf32>, %rhs: tensor<3xf32>) {
  // expected-error@+1 {{requires the same shape for all operands and results}}
  %0 = stablehlo.complex %lhs, %rhs : (tensor<3xf32>, tensor<3xf32>) -> tensor<1x3xcomplex<f32>>
  return
}

// -----

func.func @complex_c3(%lhs: tensor<3xf32>, %rhs: tensor<3xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<3xcomplex<f32>>' are incompatible with return type(s) of operation 'tensor<3xcomplex<f64>>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.complex %lhs, %rhs : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xcomplex<f64>>
  return
}

// -----

func.func @complex_c3_real(%lhs: tensor<3xf32>, %rhs: tensor<3xf32>) {
  // expected-error@+1 {{result #0 must be ranked tensor of}}
  %0 = stablehlo.complex %lhs, %rhs : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @complex_i1(%lhs: tensor<3xf16>, %rhs: tensor<3xf16>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = "stablehlo.complex"(%lhs, %rhs) : (tensor<3xf16>, tensor<3xf16>) -> tensor<3xcomplex<f32>>
  return
}
