// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @after_all(%token0: !stablehlo.token, %token1: !stablehlo.token) {
  %0 = stablehlo.after_all %token0, %token1 : !stablehlo.token
  return
}

// -----

func.func @after_all_none() {
  %0 = "stablehlo.after_all"() : () -> !stablehlo.token
  return
}

// -----

func.func @after_all_i1(%value: tensor<2xf32>) {
  // expected-error@+1 {{operand #0 must be variadic of}}
  %0 = "stablehlo.after_all"(%value) : (tensor<2xf32>) -> !stablehlo.token
  return
}

// -----

func.func @after_all_result(%token: !stablehlo.token) {
  // expected-error@+1 {{result #0 must be token, but got 'tensor<f32>'}}
  %0 = "stablehlo.after_all"(%token) : (!stablehlo.token) -> tensor<f32>
  return
}
