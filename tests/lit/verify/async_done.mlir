// REQUIRES: stablehlo-1.15
// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @async_done(%future: !stablehlo.future<tensor<4xf32>>) {
  %0 = "stablehlo.async_done"(%future) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  return
}

// -----

func.func @async_done_c1(%future: !stablehlo.future<tensor<4xf32>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<4xf64>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.async_done"(%future) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf64>
  return
}

// -----

func.func @async_done_c1_shape(%future: !stablehlo.future<tensor<4xf32>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<2x2xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.async_done"(%future) : (!stablehlo.future<tensor<4xf32>>) -> tensor<2x2xf32>
  return
}

// -----

func.func @async_done_c1_types(%future: !stablehlo.future<tensor<4xf32>, tensor<4xf32>>) {
  // expected-error@+2 {{future must have exactly one type parameter, but got 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.async_done"(%future) : (!stablehlo.future<tensor<4xf32>, tensor<4xf32>>) -> tensor<4xf32>
  return
}

// -----

func.func @async_done_i1(%future: tensor<4xf32>) {
  // expected-error@+1 {{operand #0 must be future, but got 'tensor<4xf32>'}}
  %0 = "stablehlo.async_done"(%future) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
