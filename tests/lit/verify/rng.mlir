// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @rng(%a: tensor<f32>, %b: tensor<f32>, %shape: tensor<2xi64>) {
  %0 = stablehlo.rng %a, %b, %shape, distribution = NORMAL
      : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @rng_c3_constant(%a: tensor<i32>, %b: tensor<i32>) {
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM
      : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<2x3xi32>
  return
}

// -----

func.func @rng_c1(%a: tensor<f32>, %b: tensor<f64>, %shape: tensor<2xi64>) {
  // expected-error@+1 {{failed to verify that all of {a, b, result} have same element type}}
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM
      : (tensor<f32>, tensor<f64>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @rng_c1_result(%a: tensor<f32>, %b: tensor<f32>, %shape: tensor<2xi64>) {
  // expected-error@+1 {{failed to verify that all of {a, b, result} have same element type}}
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM
      : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf64>
  return
}

// -----

func.func @rng_c2(%a: tensor<i32>, %b: tensor<i32>, %shape: tensor<2xi64>) {
  // expected-error@+2 {{mu and sigma must be floats}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.rng %a, %b, %shape, distribution = NORMAL
      : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<?x?xi32>
  return
}

// -----

func.func @rng_c3(%a: tensor<f32>, %b: tensor<f32>) {
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  // expected-error@+2 {{inferred type(s) 'tensor<2x3xf32>' are incompatible with return type(s) of operation 'tensor<2x4xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM
      : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @rng_c3_rank(%a: tensor<f32>, %b: tensor<f32>, %shape: tensor<2xi64>) {
  // expected-error@+2 {{inferred type(s) 'tensor<?x?xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @rng_i1_rank(%a: tensor<1xf32>, %b: tensor<f32>, %shape: tensor<2xi64>) {
  // expected-error@+1 {{operand #0 must be 0D tensor of}}
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM
      : (tensor<1xf32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @rng_i3(%a: tensor<f32>, %b: tensor<f32>, %shape: tensor<1x2xi64>) {
  // expected-error@+1 {{operand #2 must be statically shaped 1-dimensional tensor of}}
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM
      : (tensor<f32>, tensor<f32>, tensor<1x2xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @rng_distribution(%a: tensor<f32>, %b: tensor<f32>, %shape: tensor<2xi64>) {
  // expected-error@+2 {{custom op 'stablehlo.rng' expected ::mlir::stablehlo::RngDistribution to be one of: UNIFORM, NORMAL}}
  // expected-error@+1 {{custom op 'stablehlo.rng' failed to parse StableHLO_RngDistributionAttr parameter 'value' which is to be a `::mlir::stablehlo::RngDistribution`}}
  %0 = stablehlo.rng %a, %b, %shape, distribution = CAUCHY : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}
