// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @select(%pred: tensor<4xi1>, %on_true: tensor<4xi32>, %on_false: tensor<4xi32>) {
  %0 = stablehlo.select %pred, %on_true, %on_false : tensor<4xi1>, tensor<4xi32>
  return
}

// -----

func.func @select_c1_scalar(%pred: tensor<i1>, %on_true: tensor<4x2xf32>, %on_false: tensor<4x2xf32>) {
  %0 = stablehlo.select %pred, %on_true, %on_false : tensor<i1>, tensor<4x2xf32>
  return
}

// -----

func.func @select_c1_dynamic(%pred: tensor<?xi1>, %on_true: tensor<4xf32>, %on_false: tensor<?xf32>) {
  %0 = stablehlo.select %pred, %on_true, %on_false : (tensor<?xi1>, tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @select_c2_bounded(%pred: tensor<?xi1, #stablehlo.bounds<6>>, %on_true: tensor<?xf32, #stablehlo.bounds<6>>, %on_false: tensor<?xf32, #stablehlo.bounds<6>>) {
  %0 = stablehlo.select %pred, %on_true, %on_false
      : tensor<?xi1, #stablehlo.bounds<6>>, tensor<?xf32, #stablehlo.bounds<6>>
  return
}

// -----

// The spec lets scales differ; the dialect wants them equal.
func.func @select_c2_quantized_gap(%pred: tensor<i1>, %on_true: tensor<2x!quant.uniform<i8:f32, 0.5:1>>, %on_false: tensor<2x!quant.uniform<i8:f32, 0.25:3>>) {
  // expected-error@+2 {{requires compatible types for non-predicate operands}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.select %pred, %on_true, %on_false
      : (tensor<i1>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x!quant.uniform<i8:f32, 0.25:3>>)
      -> tensor<2x!quant.uniform<i8:f32, 1.0:3>>
  return
}

// -----

func.func @select_c1(%pred: tensor<3xi1>, %on_true: tensor<4xi32>, %on_false: tensor<4xi32>) {
  // expected-error@+2 {{requires the same shape for all operands}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.select %pred, %on_true, %on_false : tensor<3xi1>, tensor<4xi32>
  return
}

// -----

func.func @select_c1_rank(%pred: tensor<1xi1>, %on_true: tensor<4xi32>, %on_false: tensor<4xi32>) {
  // expected-error@+2 {{requires the same shape for all operands}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.select %pred, %on_true, %on_false : tensor<1xi1>, tensor<4xi32>
  return
}

// -----

func.func @select_c2_element_type(%pred: tensor<4xi1>, %on_true: tensor<4xi32>, %on_false: tensor<4xi64>) {
  // expected-error@+2 {{requires compatible types for non-predicate operands}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.select %pred, %on_true, %on_false : (tensor<4xi1>, tensor<4xi32>, tensor<4xi64>) -> tensor<4xi32>
  return
}

// -----

func.func @select_c2_shape(%pred: tensor<i1>, %on_true: tensor<4xi32>, %on_false: tensor<5xi32>) {
  // expected-error@+2 {{requires compatible types for non-predicate operands}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.select %pred, %on_true, %on_false : (tensor<i1>, tensor<4xi32>, tensor<5xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @select_c2_result(%pred: tensor<4xi1>, %on_true: tensor<4xi32>, %on_false: tensor<4xi32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4xi32>' are incompatible with return type(s) of operation 'tensor<4xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.select %pred, %on_true, %on_false : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_c2_result_shape(%pred: tensor<4xi1>, %on_true: tensor<4xi32>, %on_false: tensor<4xi32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4xi32>' are incompatible with return type(s) of operation 'tensor<2x2xi32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.select %pred, %on_true, %on_false : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<2x2xi32>
  return
}

// -----

func.func @select_i1(%pred: tensor<4xi8>, %on_true: tensor<4xi32>, %on_false: tensor<4xi32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.select %pred, %on_true, %on_false : tensor<4xi8>, tensor<4xi32>
  return
}
