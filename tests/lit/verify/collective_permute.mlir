// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @collective_permute(%operand: tensor<4xf32>) {
  %0 = "stablehlo.collective_permute"(%operand) {source_target_pairs = dense<[[0, 1], [1, 2], [2, 0]]> : tensor<3x2xi64>}
      : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_permute_c5_dynamic(%operand: tensor<?xf32>) {
  %0 = "stablehlo.collective_permute"(%operand) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 0>}
      : (tensor<?xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_permute_c1(%operand: tensor<4xf32>) {
  // expected-error@+1 {{expect source_target_pairs attribute of shape (N, 2), but got (1, 3)}}
  %0 = "stablehlo.collective_permute"(%operand) {source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>}
      : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_permute_c1_rank(%operand: tensor<4xf32>) {
  // expected-error@+1 {{expect source_target_pairs attribute to be of rank 2, but got rank 1}}
  %0 = "stablehlo.collective_permute"(%operand) {source_target_pairs = dense<[0, 1]> : tensor<2xi64>}
      : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_permute_c2(%operand: tensor<4xf32>) {
  // expected-error@+1 {{duplicate sources not allowed.}}
  %0 = "stablehlo.collective_permute"(%operand) {source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>}
      : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_permute_c3(%operand: tensor<4xf32>) {
  // expected-error@+1 {{duplicate targets not allowed.}}
  %0 = "stablehlo.collective_permute"(%operand) {source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}
      : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_permute_c4(%operand: tensor<4xf32>) {
  // expected-error@+1 {{replica ids in source_target_pairs must be >= 0.}}
  %0 = "stablehlo.collective_permute"(%operand) {source_target_pairs = dense<[[0, -1]]> : tensor<1x2xi64>}
      : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_permute_c5(%operand: tensor<4xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<2x2xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.collective_permute"(%operand) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<4xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @collective_permute_c5_element_type(%operand: tensor<4xf32>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = "stablehlo.collective_permute"(%operand) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<4xf32>) -> tensor<4xi32>
  return
}
