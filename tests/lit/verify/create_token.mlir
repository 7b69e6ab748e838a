// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @create_token() {
  %0 = stablehlo.create_token : !stablehlo.token
  return
}

// -----

func.func @create_token_result() {
  // expected-error@+1 {{result #0 must be token, but got 'tensor<i1>'}}
  %0 = "stablehlo.create_token"() : () -> tensor<i1>
  return
}
