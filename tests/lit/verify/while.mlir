// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @while(%counter: tensor<i32>, %values: tensor<4xf32>) {
  %0:2 = "stablehlo.while"(%counter, %values) ({
    ^bb0(%c: tensor<i32>, %v: tensor<4xf32>):
      %limit = stablehlo.constant dense<9> : tensor<i32>
      %more = stablehlo.compare LT, %c, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
  }, {
    ^bb0(%c: tensor<i32>, %v: tensor<4xf32>):
      %next = stablehlo.add %c, %c : tensor<i32>
      stablehlo.return %next, %v : tensor<i32>, tensor<4xf32>
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
  return
}

// -----

func.func @while_c2_dynamic(%values: tensor<?xf32>) {
  %0 = "stablehlo.while"(%values) ({
    ^bb0(%v: tensor<?xf32>):
      %more = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %more : tensor<i1>
  }, {
    ^bb0(%v: tensor<4xf32>):
      stablehlo.return %v : tensor<4xf32>
  }) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @while_c1_arity(%values: tensor<4xf32>) {
  // expected-error@+1 {{expect operands to be compatible with condition block arguments but got 'tensor<4xf32>' vs 'tensor<4xf32>', 'tensor<4xf32>'}}
  %0 = "stablehlo.while"(%values) ({
    ^bb0(%v: tensor<4xf32>, %w: tensor<4xf32>):
      %more = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %more : tensor<i1>
  }, {
    ^bb0(%v: tensor<4xf32>):
      stablehlo.return %v : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @while_c1_argument(%values: tensor<4xf32>) {
  // expected-error@+1 {{expect operands to be compatible with condition block arguments but got 'tensor<4xf32>' vs 'tensor<5xf32>'}}
  %0 = "stablehlo.while"(%values) ({
    ^bb0(%v: tensor<5xf32>):
      %more = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %more : tensor<i1>
  }, {
    ^bb0(%v: tensor<4xf32>):
      stablehlo.return %v : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @while_c1_results(%values: tensor<4xf32>) {
  // expected-error@+1 {{expect condition body returns a single value but got 2}}
  %0 = "stablehlo.while"(%values) ({
    ^bb0(%v: tensor<4xf32>):
      %more = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %more, %more : tensor<i1>, tensor<i1>
  }, {
    ^bb0(%v: tensor<4xf32>):
      stablehlo.return %v : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @while_c1_result_type(%values: tensor<4xf32>) {
  // expected-error@+1 {{expect condition block return a zero-ranked tensor of i1 but got 'tensor<i32>'}}
  %0 = "stablehlo.while"(%values) ({
    ^bb0(%v: tensor<4xf32>):
      %more = stablehlo.constant dense<0> : tensor<i32>
      stablehlo.return %more : tensor<i32>
  }, {
    ^bb0(%v: tensor<4xf32>):
      stablehlo.return %v : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @while_c2_argument(%values: tensor<4xf32>) {
  // expected-error@+1 {{expect operands to be compatible with body block arguments but got 'tensor<4xf32>' vs 'tensor<4xf64>'}}
  %0 = "stablehlo.while"(%values) ({
    ^bb0(%v: tensor<4xf32>):
      %more = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %more : tensor<i1>
  }, {
    ^bb0(%v: tensor<4xf64>):
      %w = stablehlo.convert %v : (tensor<4xf64>) -> tensor<4xf32>
      stablehlo.return %w : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @while_c2_result(%values: tensor<4xf32>) {
  // expected-error@+1 {{expect operands to be compatible with body block return types but got 'tensor<4xf32>' vs 'tensor<4xf64>'}}
  %0 = "stablehlo.while"(%values) ({
    ^bb0(%v: tensor<4xf32>):
      %more = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %more : tensor<i1>
  }, {
    ^bb0(%v: tensor<4xf32>):
      %w = stablehlo.convert %v : (tensor<4xf32>) -> tensor<4xf64>
      stablehlo.return %w : tensor<4xf64>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @while_c2_results(%values: tensor<4xf32>) {
  // expected-error@+1 {{expect operands to be compatible with body block return types but got 'tensor<4xf32>' vs }}
  %0 = "stablehlo.while"(%values) ({
    ^bb0(%v: tensor<4xf32>):
      %more = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %more : tensor<i1>
  }, {
    ^bb0(%v: tensor<4xf32>):
      stablehlo.return
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @while_c3(%values: tensor<4xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<5xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.while"(%values) ({
    ^bb0(%v: tensor<4xf32>):
      %more = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %more : tensor<i1>
  }, {
    ^bb0(%v: tensor<4xf32>):
      stablehlo.return %v : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<5xf32>
  return
}
