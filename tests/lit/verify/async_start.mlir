// REQUIRES: stablehlo-1.15
// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @async_start(%operand: tensor<4xf32>) {
  %0 = "stablehlo.async_start"(%operand) ({
    ^bb0(%x: tensor<4xf32>):
      %moved = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}
          : (tensor<4xf32>) -> tensor<4xf32>
      stablehlo.return %moved : tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  return
}

// -----

func.func @async_start_c2_slice(%operand: tensor<4xf32>) {
  %0 = "stablehlo.async_start"(%operand) ({
    ^bb0(%x: tensor<4xf32>):
      %part = stablehlo.slice %x [1:3] : (tensor<4xf32>) -> tensor<2xf32>
      stablehlo.return %part : tensor<2xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>
  return
}

// -----

func.func @async_start_c1(%operand: tensor<4xf32>) {
  // expected-error@+2 {{region must contain exactly one operation and a return}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.async_start"(%operand) ({
    ^bb0(%x: tensor<4xf32>):
      %part = stablehlo.slice %x [1:3] : (tensor<4xf32>) -> tensor<2xf32>
      %again = stablehlo.slice %x [0:2] : (tensor<4xf32>) -> tensor<2xf32>
      stablehlo.return %part : tensor<2xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>
  return
}

// -----

func.func @async_start_c1_none(%operand: tensor<4xf32>) {
  // expected-error@+2 {{region must contain exactly one operation and a return}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.async_start"(%operand) ({
    ^bb0(%x: tensor<4xf32>):
      stablehlo.return %x : tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  return
}

// -----

func.func @async_start_c2(%operand: tensor<4xf32>) {
  // expected-error@+2 {{region must contain a collective or slice operation}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.async_start"(%operand) ({
    ^bb0(%x: tensor<4xf32>):
      %negated = stablehlo.negate %x : tensor<4xf32>
      stablehlo.return %negated : tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  return
}

// -----

func.func @async_start_c3_count(%operand: tensor<4xf32>) {
  // expected-error@+2 {{number of operands (2) must match number of region arguments (1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.async_start"(%operand, %operand) ({
    ^bb0(%x: tensor<4xf32>):
      %part = stablehlo.slice %x [1:3] : (tensor<4xf32>) -> tensor<2xf32>
      stablehlo.return %part : tensor<2xf32>
  }) : (tensor<4xf32>, tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>
  return
}

// -----

func.func @async_start_c3(%operand: tensor<5xf32>) {
  // expected-error@+2 {{operand type 'tensor<5xf32>' at index 0 must match region argument type 'tensor<4xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.async_start"(%operand) ({
    ^bb0(%x: tensor<4xf32>):
      %part = stablehlo.slice %x [1:3] : (tensor<4xf32>) -> tensor<2xf32>
      stablehlo.return %part : tensor<2xf32>
  }) : (tensor<5xf32>) -> !stablehlo.future<tensor<2xf32>>
  return
}

// -----

func.func @async_start_c4(%operand: tensor<4xf32>) {
  // expected-error@+2 {{inferred type(s) '!stablehlo.future<tensor<2xf32>>' are incompatible with return type(s) of operation '!stablehlo.future<tensor<3xf32>>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.async_start"(%operand) ({
    ^bb0(%x: tensor<4xf32>):
      %part = stablehlo.slice %x [1:3] : (tensor<4xf32>) -> tensor<2xf32>
      stablehlo.return %part : tensor<2xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<3xf32>>
  return
}

// -----

func.func @async_start_c4_results(%operand: tensor<4xf32>) {
  // expected-error@+2 {{region must return exactly one value, but got 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.async_start"(%operand) ({
    ^bb0(%x: tensor<4xf32>):
      %part = stablehlo.slice %x [1:3] : (tensor<4xf32>) -> tensor<2xf32>
      stablehlo.return %part, %part : tensor<2xf32>, tensor<2xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>
  return
}

// -----

func.func @async_start_c4_token(%operand: tensor<4xf32>) {
  %0 = "stablehlo.async_start"(%operand) ({
    ^bb0(%x: tensor<4xf32>):
      %part = stablehlo.slice %x [1:3] : (tensor<4xf32>) -> tensor<2xf32>
      stablehlo.return %part : tensor<2xf32>
  // expected-error@+1 {{future element type must be a ranked tensor, but got '!stablehlo.token'}}
  }) : (tensor<4xf32>) -> !stablehlo.future<!stablehlo.token>
  return
}
