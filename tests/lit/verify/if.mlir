// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @if(%pred: tensor<i1>, %value: tensor<3xf32>) {
  %0 = "stablehlo.if"(%pred) ({
      stablehlo.return %value : tensor<3xf32>
  }, {
      %negated = stablehlo.negate %value : tensor<3xf32>
      stablehlo.return %negated : tensor<3xf32>
  }) : (tensor<i1>) -> tensor<3xf32>
  return
}

// -----

func.func @if_no_results(%pred: tensor<i1>) {
  "stablehlo.if"(%pred) ({
      stablehlo.return
  }, {
      stablehlo.return
  }) : (tensor<i1>) -> ()
  return
}

// -----

func.func @if_c3_most_specific(%pred: tensor<i1>, %dynamic: tensor<?xf32>, %bounded: tensor<?xf32, #stablehlo.bounds<7>>) {
  %0 = "stablehlo.if"(%pred) ({
      stablehlo.return %dynamic : tensor<?xf32>
  }, {
      stablehlo.return %bounded : tensor<?xf32, #stablehlo.bounds<7>>
  }) : (tensor<i1>) -> tensor<?xf32>
  return
}

// -----

func.func @if_c1_true(%pred: tensor<i1>, %value: tensor<3xf32>) {
  // expected-error@+2 {{branch 0 must have 0 arguments, but found 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.if"(%pred) ({
    ^bb0(%x: tensor<3xf32>):
      stablehlo.return %value : tensor<3xf32>
  }, {
      stablehlo.return %value : tensor<3xf32>
  }) : (tensor<i1>) -> tensor<3xf32>
  return
}

// -----

func.func @if_c1_false(%pred: tensor<i1>, %value: tensor<3xf32>) {
  // expected-error@+2 {{branch 1 must have 0 arguments, but found 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.if"(%pred) ({
      stablehlo.return %value : tensor<3xf32>
  }, {
    ^bb0(%x: tensor<3xf32>):
      stablehlo.return %value : tensor<3xf32>
  }) : (tensor<i1>) -> tensor<3xf32>
  return
}

// -----

func.func @if_c2(%pred: tensor<i1>, %value: tensor<3xf32>, %other: tensor<4xf32>) {
  // expected-error@+2 {{branch 0 and branch 1 have mismatched return types: 'tensor<3xf32>' vs 'tensor<4xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.if"(%pred) ({
      stablehlo.return %value : tensor<3xf32>
  }, {
      stablehlo.return %other : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<3xf32>
  return
}

// -----

func.func @if_c2_count(%pred: tensor<i1>, %value: tensor<3xf32>) {
  // expected-error@+2 {{branch 0 and branch 1 have mismatched return types: 'tensor<3xf32>' vs }}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.if"(%pred) ({
      stablehlo.return %value : tensor<3xf32>
  }, {
      stablehlo.return
  }) : (tensor<i1>) -> tensor<3xf32>
  return
}

// -----

func.func @if_c3(%pred: tensor<i1>, %value: tensor<3xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<3xf32>' are incompatible with return type(s) of operation 'tensor<3xf64>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.if"(%pred) ({
      stablehlo.return %value : tensor<3xf32>
  }, {
      stablehlo.return %value : tensor<3xf32>
  }) : (tensor<i1>) -> tensor<3xf64>
  return
}

// -----

func.func @if_c3_count(%pred: tensor<i1>, %value: tensor<3xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<3xf32>' are incompatible with return type(s) of operation 'tensor<3xf32>', 'tensor<3xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = "stablehlo.if"(%pred) ({
      stablehlo.return %value : tensor<3xf32>
  }, {
      stablehlo.return %value : tensor<3xf32>
  }) : (tensor<i1>) -> (tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @if_i1(%pred: tensor<i8>, %value: tensor<3xf32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = "stablehlo.if"(%pred) ({
      stablehlo.return %value : tensor<3xf32>
  }, {
      stablehlo.return %value : tensor<3xf32>
  }) : (tensor<i8>) -> tensor<3xf32>
  return
}

// -----

func.func @if_i1_rank(%pred: tensor<2xi1>, %value: tensor<3xf32>) {
  // expected-error@+2 {{operand should be rank 0 tensor but got rank 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.if"(%pred) ({
      stablehlo.return %value : tensor<3xf32>
  }, {
      stablehlo.return %value : tensor<3xf32>
  }) : (tensor<2xi1>) -> tensor<3xf32>
  return
}

// -----

func.func @if_branch_empty(%pred: tensor<i1>, %value: tensor<3xf32>) {
  // expected-error@+1 {{region #1 ('false_branch') failed to verify constraint: region with 1 blocks}}
  %0 = "stablehlo.if"(%pred) ({
      stablehlo.return %value : tensor<3xf32>
  }, {
  }) : (tensor<i1>) -> tensor<3xf32>
  return
}
