// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @batch_norm_inference(%operand: tensor<2x3xf32>, %scale: tensor<3xf32>, %offset: tensor<3xf32>, %mean: tensor<3xf32>, %variance: tensor<3xf32>) {
  %0 = "stablehlo.batch_norm_inference"(%operand, %scale, %offset, %mean, %variance) {epsilon = 0.125 : f32, feature_index = 1 : i64}
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @batch_norm_inference_c7_dynamic(%operand: tensor<2x?xf32>, %scale: tensor<3xf32>, %offset: tensor<?xf32>, %mean: tensor<3xf32>, %variance: tensor<3xf32>) {
  %0 = "stablehlo.batch_norm_inference"(%operand, %scale, %offset, %mean, %variance) {epsilon = 0.125 : f32, feature_index = 1 : i64}
      : (tensor<2x?xf32>, tensor<3xf32>, tensor<?xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @batch_norm_inference_c7_bounded(%operand: tensor<?x3xf32, #stablehlo.bounds<5, ?>>, %scale: tensor<3xf32>) {
  %0 = "stablehlo.batch_norm_inference"(%operand, %scale, %scale, %scale, %scale) {epsilon = 0.125 : f32, feature_index = 1 : i64}
      : (tensor<?x3xf32, #stablehlo.bounds<5, ?>>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
      -> tensor<?x3xf32, #stablehlo.bounds<5, ?>>
  return
}

// -----

func.func @batch_norm_inference_c1(%operand: tensor<2x3xf32>, %scale: tensor<3xf32>) {
  // expected-error@+2 {{expects featureIndex to be smaller than the rank of multi-dimensional operands; got featureIndex 2, and rank 2.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.batch_norm_inference"(%operand, %scale, %scale, %scale, %scale) {epsilon = 0.125 : f32, feature_index = 2 : i64}
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @batch_norm_inference_c1_negative(%operand: tensor<2x3xf32>, %scale: tensor<3xf32>) {
  // expected-error@+1 {{attribute 'feature_index' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = "stablehlo.batch_norm_inference"(%operand, %scale, %scale, %scale, %scale) {epsilon = 0.125 : f32, feature_index = -1 : i64}
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @batch_norm_inference_c2(%operand: tensor<2x3xf32>, %scale: tensor<3xf64>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = "stablehlo.batch_norm_inference"(%operand, %scale, %scale, %scale, %scale) {epsilon = 0.125 : f32, feature_index = 1 : i64}
      : (tensor<2x3xf32>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @batch_norm_inference_c3(%operand: tensor<2x3xf32>, %scale: tensor<2xf32>) {
  // expected-error@+2 {{expects the size of single-dimensional operands to be compatible with feature count, but the size of single-dimensional operands is 2 and the feature count is 3.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.batch_norm_inference"(%operand, %scale, %scale, %scale, %scale) {epsilon = 0.125 : f32, feature_index = 1 : i64}
      : (tensor<2x3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @batch_norm_inference_c4(%operand: tensor<2x3xf32>, %scale: tensor<3xf32>, %offset: tensor<2xf32>) {
  // expected-error@+2 {{expects single-dimensional operands to have compatible shapes.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.batch_norm_inference"(%operand, %scale, %offset, %scale, %scale) {epsilon = 0.125 : f32, feature_index = 1 : i64}
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @batch_norm_inference_c5(%operand: tensor<2x3xf32>, %scale: tensor<3xf32>, %mean: tensor<4xf32>) {
  // expected-error@+2 {{expects single-dimensional operands to have compatible shapes.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.batch_norm_inference"(%operand, %scale, %scale, %mean, %scale) {epsilon = 0.125 : f32, feature_index = 1 : i64}
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @batch_norm_inference_c6(%operand: tensor<2x3xf32>, %scale: tensor<3xf32>, %variance: tensor<1xf32>) {
  // expected-error@+2 {{expects single-dimensional operands to have compatible shapes.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.batch_norm_inference"(%operand, %scale, %scale, %scale, %variance) {epsilon = 0.125 : f32, feature_index = 1 : i64}
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @batch_norm_inference_c7(%operand: tensor<2x3xf32>, %scale: tensor<3xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<2x3xf32>' are incompatible with return type(s) of operation 'tensor<3x2xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.batch_norm_inference"(%operand, %scale, %scale, %scale, %scale) {epsilon = 0.125 : f32, feature_index = 1 : i64}
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @batch_norm_inference_i2_rank(%operand: tensor<2x3xf32>, %scale: tensor<1x3xf32>) {
  // expected-error@+1 {{operand #1 must be 1D tensor of}}
  %0 = "stablehlo.batch_norm_inference"(%operand, %scale, %scale, %scale, %scale) {epsilon = 0.125 : f32, feature_index = 1 : i64}
      : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @batch_norm_inference_epsilon(%operand: tensor<2x3xf32>, %scale: tensor<3xf32>) {
  // expected-error@+1 {{attribute 'epsilon' failed to satisfy constraint: 32-bit float attribute}}
  %0 = "stablehlo.batch_norm_inference"(%operand, %scale, %scale, %scale, %scale) {epsilon = 0.125 : f64, feature_index = 1 : i64}
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}
