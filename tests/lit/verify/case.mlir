// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @case(%index: tensor<i32>, %value: tensor<3xf32>) {
  %0 = "stablehlo.case"(%index) ({
      stablehlo.return %value : tensor<3xf32>
  }, {
      %negated = stablehlo.negate %value : tensor<3xf32>
      stablehlo.return %negated : tensor<3xf32>
  }, {
      %root = stablehlo.sqrt %value : tensor<3xf32>
      stablehlo.return %root : tensor<3xf32>
  }) : (tensor<i32>) -> tensor<3xf32>
  return
}

// -----

func.func @case_c3_dynamic(%index: tensor<i32>, %value: tensor<3xf32>, %dynamic: tensor<?xf32>) {
  %0 = "stablehlo.case"(%index) ({
      stablehlo.return %value : tensor<3xf32>
  }, {
      stablehlo.return %dynamic : tensor<?xf32>
  }) : (tensor<i32>) -> tensor<?xf32>
  return
}

// -----

func.func @case_c1(%index: tensor<i32>) {
  // expected-error@+2 {{expect at least one branch}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.case"(%index) : (tensor<i32>) -> tensor<3xf32>
  return
}

// -----

func.func @case_c2(%index: tensor<i32>, %value: tensor<3xf32>) {
  // expected-error@+2 {{branch 0 must have 0 arguments, but found 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.case"(%index) ({
    ^bb0(%x: tensor<f32>):
      stablehlo.return %value : tensor<3xf32>
  }) : (tensor<i32>) -> tensor<3xf32>
  return
}

// -----

func.func @case_c3(%index: tensor<i32>, %value: tensor<3xf32>, %other: tensor<3xi32>) {
  // expected-error@+2 {{branch 0 and branch 2 have mismatched return types: 'tensor<3xf32>' vs 'tensor<3xi32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.case"(%index) ({
      stablehlo.return %value : tensor<3xf32>
  }, {
      stablehlo.return %value : tensor<3xf32>
  }, {
      stablehlo.return %other : tensor<3xi32>
  }) : (tensor<i32>) -> tensor<3xf32>
  return
}

// -----

func.func @case_c4(%index: tensor<i32>, %value: tensor<3xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<3xf32>' are incompatible with return type(s) of operation 'tensor<2xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.case"(%index) ({
      stablehlo.return %value : tensor<3xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  return
}

// -----

func.func @case_i1(%index: tensor<i64>, %value: tensor<3xf32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = "stablehlo.case"(%index) ({
      stablehlo.return %value : tensor<3xf32>
  }) : (tensor<i64>) -> tensor<3xf32>
  return
}

// -----

func.func @case_i1_rank(%index: tensor<1xi32>, %value: tensor<3xf32>) {
  // expected-error@+2 {{operand should be rank 0 tensor but got rank 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.case"(%index) ({
      stablehlo.return %value : tensor<3xf32>
  }) : (tensor<1xi32>) -> tensor<3xf32>
  return
}
