// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @constant() {
  %0 = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf32>
  return
}

// -----

func.func @constant_splat() {
  %0 = stablehlo.constant dense<true> : tensor<4x4xi1>
  return
}

// -----

func.func @constant_complex() {
  %0 = stablehlo.constant dense<(1.0, -0.5)> : tensor<3xcomplex<f32>>
  return
}

// -----

// The attribute holds the storage values.
func.func @constant_c1_quantized() {
  %0 = "stablehlo.constant"() {value = dense<[1, 2]> : tensor<2xi8>} : () -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  return
}

// -----

func.func @constant_c1_shape() {
  // expected-error@+2 {{inferred type(s) 'tensor<2xi32>' are incompatible with return type(s) of operation 'tensor<3xi32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.constant"() {value = dense<[1, 2]> : tensor<2xi32>} : () -> tensor<3xi32>
  return
}

// -----

func.func @constant_c1_element_type() {
  // expected-error@+2 {{inferred type(s) 'tensor<2xi32>' are incompatible with return type(s) of operation 'tensor<2xi64>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.constant"() {value = dense<[1, 2]> : tensor<2xi32>} : () -> tensor<2xi64>
  return
}

// -----

func.func @constant_c1_quantized_invalid() {
  // expected-error@+2 {{inferred type(s) 'tensor<2xi16>' are incompatible with return type(s) of operation 'tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.constant"() {value = dense<[1, 2]> : tensor<2xi16>} : () -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  return
}

// -----

func.func @constant_c1_dynamic() {
  // expected-error@+1 {{result #0 must be statically shaped tensor of}}
  %0 = "stablehlo.constant"() {value = dense<[1, 2]> : tensor<2xi32>} : () -> tensor<?xi32>
  return
}

// -----

func.func @constant_value_kind() {
  // expected-error@+1 {{attribute 'value' failed to satisfy constraint: constant vector/tensor attribute}}
  %0 = "stablehlo.constant"() {value = 3 : i32} : () -> tensor<i32>
  return
}

// -----

func.func @constant_value_missing() {
  // expected-error@+1 {{requires attribute 'value'}}
  %0 = "stablehlo.constant"() : () -> tensor<i32>
  return
}

// -----

func.func @constant_elements() {
  // expected-error@+1 {{inferred shape of elements literal ([3]) does not match type ([2])}}
  %0 = stablehlo.constant dense<[1, 2, 3]> : tensor<2xi32>
  return
}
