// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @infeed(%token: !stablehlo.token) {
  %0:2 = "stablehlo.infeed"(%token) {infeed_config = "", layout = [[0]]}
      : (!stablehlo.token) -> (tensor<3xi32>, !stablehlo.token)
  return
}

// -----

func.func @infeed_c2_no_values(%token: !stablehlo.token) {
  %0 = "stablehlo.infeed"(%token) {infeed_config = "next"} : (!stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @infeed_c1(%token: !stablehlo.token) {
  // expected-error@+1 {{result is expected to be at least of size 1, but got 0}}
  "stablehlo.infeed"(%token) {infeed_config = ""} : (!stablehlo.token) -> ()
  return
}

// -----

func.func @infeed_c2(%token: !stablehlo.token) {
  // expected-error@+1 {{all elements of result types, except the last element, are expected to be of tensor type, but got '!stablehlo.token'}}
  %0:2 = "stablehlo.infeed"(%token) {infeed_config = ""} : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}

// -----

func.func @infeed_c3(%token: !stablehlo.token) {
  // expected-error@+1 {{last element of result types is expected to be of token type, but got 'tensor<3xi32>'}}
  %0:2 = "stablehlo.infeed"(%token) {infeed_config = ""} : (!stablehlo.token) -> (tensor<3xi32>, tensor<3xi32>)
  return
}

// -----

func.func @infeed_layout_kind(%token: !stablehlo.token) {
  // expected-error@+1 {{attribute 'layout' failed to satisfy constraint: array attribute}}
  %0:2 = "stablehlo.infeed"(%token) {infeed_config = "", layout = 0 : i64}
      : (!stablehlo.token) -> (tensor<3xi32>, !stablehlo.token)
  return
}

// -----

func.func @infeed_layout_size(%token: !stablehlo.token) {
  // expected-error@+1 {{layout-attribute size must be 1 (which is the number of op-results - 1 (for token result)), but got 2}}
  %0:2 = "stablehlo.infeed"(%token) {infeed_config = "", layout = [[0], [0]]}
      : (!stablehlo.token) -> (tensor<3xi32>, !stablehlo.token)
  return
}

// -----

func.func @infeed_layout_element(%token: !stablehlo.token) {
  // expected-error@+1 {{layout-attribute expected to have elements of type array, but got 0 : i64}}
  %0:2 = "stablehlo.infeed"(%token) {infeed_config = "", layout = [0]}
      : (!stablehlo.token) -> (tensor<3xi32>, !stablehlo.token)
  return
}

// -----

func.func @infeed_layout_leaf(%token: !stablehlo.token) {
  // expected-error@+1 {{layout-attribute's leaf elements are expected to be of type integer, but got "a"}}
  %0:2 = "stablehlo.infeed"(%token) {infeed_config = "", layout = [["a"]]}
      : (!stablehlo.token) -> (tensor<3xi32>, !stablehlo.token)
  return
}

// -----

func.func @infeed_i1(%value: tensor<2xf32>) {
  // expected-error@+1 {{operand #0 must be token, but got 'tensor<2xf32>'}}
  %0:2 = "stablehlo.infeed"(%value) {infeed_config = ""} : (tensor<2xf32>) -> (tensor<3xi32>, !stablehlo.token)
  return
}

// -----

func.func @infeed_layout_of_no_arrays(%token: !stablehlo.token) {
  // expected-error@+1 {{layout-attribute expected to have elements of type array, but got 1 : i64}}
  %0:2 = "stablehlo.infeed"(%token) {infeed_config = "", layout = [1]} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return
}
