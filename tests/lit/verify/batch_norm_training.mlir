// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @batch_norm_training(%operand: tensor<4x2xf32>, %scale: tensor<2xf32>, %offset: tensor<2xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%operand, %scale, %offset) {epsilon = 0.5 : f32, feature_index = 1 : i64}
      : (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @batch_norm_training_c5_c6_dynamic(%operand: tensor<4x?xf32>, %scale: tensor<2xf32>, %offset: tensor<?xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%operand, %scale, %offset) {epsilon = 0.5 : f32, feature_index = 1 : i64}
      : (tensor<4x?xf32>, tensor<2xf32>, tensor<?xf32>) -> (tensor<4x?xf32>, tensor<?xf32>, tensor<2xf32>)
  return
}

// -----

func.func @batch_norm_training_c1(%operand: tensor<4x2xf32>, %scale: tensor<2xf32>, %offset: tensor<2xf32>) {
  // expected-error@+2 {{expects featureIndex to be smaller than the rank of multi-dimensional operands; got featureIndex 2, and rank 2.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:3 = "stablehlo.batch_norm_training"(%operand, %scale, %offset) {epsilon = 0.5 : f32, feature_index = 2 : i64}
      : (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @batch_norm_training_c1_negative(%operand: tensor<4x2xf32>, %scale: tensor<2xf32>, %offset: tensor<2xf32>) {
  // expected-error@+1 {{attribute 'feature_index' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0:3 = "stablehlo.batch_norm_training"(%operand, %scale, %offset) {epsilon = 0.5 : f32, feature_index = -1 : i64}
      : (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @batch_norm_training_c2(%operand: tensor<4x2xf32>, %scale: tensor<2xf16>, %offset: tensor<2xf16>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0:3 = "stablehlo.batch_norm_training"(%operand, %scale, %offset) {epsilon = 0.5 : f32, feature_index = 1 : i64}
      : (tensor<4x2xf32>, tensor<2xf16>, tensor<2xf16>) -> (tensor<4x2xf32>, tensor<2xf16>, tensor<2xf16>)
  return
}

// -----

func.func @batch_norm_training_c3(%operand: tensor<4x2xf32>, %scale: tensor<4xf32>, %offset: tensor<4xf32>) {
  // expected-error@+2 {{expects the size of single-dimensional operands to be compatible with feature count, but the size of single-dimensional operands is 4 and the feature count is 2.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:3 = "stablehlo.batch_norm_training"(%operand, %scale, %offset) {epsilon = 0.5 : f32, feature_index = 1 : i64}
      : (tensor<4x2xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @batch_norm_training_c4(%operand: tensor<4x2xf32>, %scale: tensor<2xf32>, %offset: tensor<3xf32>) {
  // expected-error@+2 {{expects single-dimensional operands to have compatible shapes.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:3 = "stablehlo.batch_norm_training"(%operand, %scale, %offset) {epsilon = 0.5 : f32, feature_index = 1 : i64}
      : (tensor<4x2xf32>, tensor<2xf32>, tensor<3xf32>) -> (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @batch_norm_training_c5(%operand: tensor<4x2xf32>, %scale: tensor<2xf32>, %offset: tensor<2xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4x2xf32>', 'tensor<2xf32>', 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<4x2xf32>', 'tensor<4xf32>', 'tensor<2xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:3 = "stablehlo.batch_norm_training"(%operand, %scale, %offset) {epsilon = 0.5 : f32, feature_index = 1 : i64}
      : (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<4xf32>, tensor<2xf32>)
  return
}

// -----

func.func @batch_norm_training_c6(%operand: tensor<4x2xf32>, %scale: tensor<2xf32>, %offset: tensor<2xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4x2xf32>', 'tensor<2xf32>', 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<4x2xf32>', 'tensor<2xf32>', 'tensor<1xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:3 = "stablehlo.batch_norm_training"(%operand, %scale, %offset) {epsilon = 0.5 : f32, feature_index = 1 : i64}
      : (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<2xf32>, tensor<1xf32>)
  return
}

// -----

func.func @batch_norm_training_c7(%operand: tensor<4x2xf32>, %scale: tensor<2xf32>, %offset: tensor<2xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4x2xf32>', 'tensor<2xf32>', 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<2x4xf32>', 'tensor<2xf32>', 'tensor<2xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:3 = "stablehlo.batch_norm_training"(%operand, %scale, %offset) {epsilon = 0.5 : f32, feature_index = 1 : i64}
      : (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x4xf32>, tensor<2xf32>, tensor<2xf32>)
  return
}
