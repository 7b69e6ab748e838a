// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @map(%inputs0: tensor<4x3xf32>, %inputs1: tensor<4x3xf32>) {
  %0 = "stablehlo.map"(%inputs0, %inputs1) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %product = stablehlo.multiply %a, %b : tensor<f32>
      stablehlo.return %product : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @map_c4_types(%inputs0: tensor<5xf32>, %inputs1: tensor<5xi32>) {
  %0 = "stablehlo.map"(%inputs0, %inputs1) ({
    ^bb0(%a: tensor<f32>, %b: tensor<i32>):
      %finite = stablehlo.is_finite %a : (tensor<f32>) -> tensor<i1>
      stablehlo.return %finite : tensor<i1>
  }) {dimensions = array<i64: 0>} : (tensor<5xf32>, tensor<5xi32>) -> tensor<5xi1>
  return
}

// -----

func.func @map_c1_dynamic(%inputs: tensor<?xf32>) {
  %0 = "stablehlo.map"(%inputs) ({
    ^bb0(%a: tensor<f32>):
      stablehlo.return %a : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<?xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @map_c1(%inputs0: tensor<4xf32>, %inputs1: tensor<5xf32>) {
  // expected-error@+1 {{requires the same shape for all operands and results}}
  %0 = "stablehlo.map"(%inputs0, %inputs1) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      stablehlo.return %a : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @map_c1_result(%inputs: tensor<4xf32>) {
  // expected-error@+1 {{requires the same shape for all operands and results}}
  %0 = "stablehlo.map"(%inputs) ({
    ^bb0(%a: tensor<f32>):
      stablehlo.return %a : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @map_c2() {
  // expected-error@+1 {{expected 1 or more operands, but found 0}}
  %0 = "stablehlo.map"() ({
    ^bb0:
      %one = stablehlo.constant dense<1.0> : tensor<f32>
      stablehlo.return %one : tensor<f32>
  }) {dimensions = array<i64>} : () -> tensor<4xf32>
  return
}

// -----

func.func @map_c3_subset(%inputs: tensor<4x3xf32>) {
  // expected-error@+2 {{applied to a subset of dimensions currently not supported: operand dimensions = 2, requested map dimensions size = 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.map"(%inputs) ({
    ^bb0(%a: tensor<f32>):
      stablehlo.return %a : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @map_c3_order(%inputs: tensor<4x3xf32>) {
  // expected-error@+2 {{requires monotonically increasing dimension numbers, but got: 1, 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.map"(%inputs) ({
    ^bb0(%a: tensor<f32>):
      stablehlo.return %a : tensor<f32>
  }) {dimensions = array<i64: 1, 0>} : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @map_c4_arity(%inputs: tensor<4xf32>) {
  // expected-error@+2 {{expects number of operands to match the arity of map computation, but got: 1 and 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.map"(%inputs) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      stablehlo.return %a : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @map_c4_argument(%inputs: tensor<4xf32>) {
  // expected-error@+2 {{element type of operands and computation arguments must match, but got: 'f32' and 'f64'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.map"(%inputs) ({
    ^bb0(%a: tensor<f64>):
      %one = stablehlo.constant dense<1.0> : tensor<f32>
      stablehlo.return %one : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @map_c4_argument_rank(%inputs: tensor<4xf32>) {
  // expected-error@+2 {{computation arguments must be 0-rank tensor, but got: arg #0 of type 'tensor<4xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.map"(%inputs) ({
    ^bb0(%a: tensor<4xf32>):
      %one = stablehlo.constant dense<1.0> : tensor<f32>
      stablehlo.return %one : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @map_c4_results(%inputs: tensor<4xf32>) {
  // expected-error@+2 {{computation must return single output, but got: 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.map"(%inputs) ({
    ^bb0(%a: tensor<f32>):
      stablehlo.return %a, %a : tensor<f32>, tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @map_c4_result_rank(%inputs: tensor<4xf32>) {
  // expected-error@+2 {{computation must return 0-rank tensor, but got: 'tensor<4xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.map"(%inputs) ({
    ^bb0(%a: tensor<f32>):
      %ones = stablehlo.constant dense<1.0> : tensor<4xf32>
      stablehlo.return %ones : tensor<4xf32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @map_c4_result(%inputs: tensor<4xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<4xf64>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.map"(%inputs) ({
    ^bb0(%a: tensor<f32>):
      stablehlo.return %a : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @map_computation_empty(%inputs: tensor<4xf32>) {
  // expected-error@+1 {{region #0 ('computation') failed to verify constraint: region with 1 blocks}}
  %0 = "stablehlo.map"(%inputs) ({
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
