// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @outfeed(%value: tensor<3xf32>, %token: !stablehlo.token) {
  %0 = "stablehlo.outfeed"(%value, %token) {outfeed_config = ""} : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @outfeed_token(%value: tensor<3xf32>) {
  // expected-error@+1 {{operand #1 must be token, but got 'tensor<3xf32>'}}
  %0 = "stablehlo.outfeed"(%value, %value) {outfeed_config = ""} : (tensor<3xf32>, tensor<3xf32>) -> !stablehlo.token
  return
}

// -----

func.func @outfeed_result(%value: tensor<3xf32>, %token: !stablehlo.token) {
  // expected-error@+1 {{result #0 must be token, but got 'tensor<3xf32>'}}
  %0 = "stablehlo.outfeed"(%value, %token) {outfeed_config = ""} : (tensor<3xf32>, !stablehlo.token) -> tensor<3xf32>
  return
}
