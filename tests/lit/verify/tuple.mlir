// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @tuple(%val0: tensor<2xf32>, %val1: tensor<i1>) {
  %0 = stablehlo.tuple %val0, %val1 : tuple<tensor<2xf32>, tensor<i1>>
  return
}

// -----

func.func @tuple_nested(%val0: tensor<2xf32>, %val1: tuple<tensor<f32>>) {
  %0 = stablehlo.tuple %val0, %val1 : tuple<tensor<2xf32>, tuple<tensor<f32>>>
  return
}

// -----

func.func @tuple_empty() {
  %0 = "stablehlo.tuple"() : () -> tuple<>
  return
}

// -----

func.func @tuple_c1_count(%val: tensor<2xf32>) {
  // expected-error@+2 {{inferred type(s) 'tuple<tensor<2xf32>>' are incompatible with return type(s) of operation 'tuple<tensor<2xf32>, tensor<2xf32>>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.tuple"(%val) : (tensor<2xf32>) -> tuple<tensor<2xf32>, tensor<2xf32>>
  return
}

// -----

func.func @tuple_c1_type(%val: tensor<2xf32>) {
  // expected-error@+2 {{inferred type(s) 'tuple<tensor<2xf32>>' are incompatible with return type(s) of operation 'tuple<tensor<2xf64>>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.tuple"(%val) : (tensor<2xf32>) -> tuple<tensor<2xf64>>
  return
}

// -----

func.func @tuple_result(%val: tensor<2xf32>) {
  // expected-error@+1 {{result #0 must be nested tuple with any combination of}}
  %0 = "stablehlo.tuple"(%val) : (tensor<2xf32>) -> tensor<2xf32>
  return
}
