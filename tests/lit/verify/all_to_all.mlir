// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @all_to_all(%operands: tensor<4x6xf32>) {
  %0 = "stablehlo.all_to_all"(%operands) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}
      : (tensor<4x6xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @all_to_all_c9_same_dimension(%operands0: tensor<4xf32>, %operands1: tensor<4xi8>) {
  %0:2 = "stablehlo.all_to_all"(%operands0, %operands1) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<4xf32>, tensor<4xi8>) -> (tensor<4xf32>, tensor<4xi8>)
  return
}

// -----

func.func @all_to_all_c9_dynamic(%operands: tensor<?x6xf32>) {
  %0 = "stablehlo.all_to_all"(%operands) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<?x6xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @all_to_all_c9_bounded(%operands: tensor<?x6xf32, #stablehlo.bounds<4, ?>>) {
  %0 = "stablehlo.all_to_all"(%operands) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<?x6xf32, #stablehlo.bounds<4, ?>>) -> tensor<?x3xf32, #stablehlo.bounds<8, ?>>
  return
}

// -----

func.func @all_to_all_c1(%operands: tensor<4x6xf32>) {
  // expected-error@+2 {{AllToAll split_dimension 2 is out-of-bounds for input rank 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.all_to_all"(%operands) {split_dimension = 2 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<4x6xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @all_to_all_c1_negative(%operands: tensor<4x6xf32>) {
  // expected-error@+1 {{attribute 'split_dimension' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = "stablehlo.all_to_all"(%operands) {split_dimension = -1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<4x6xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @all_to_all_c2(%operands: tensor<4x5xf32>) {
  // expected-error@+2 {{split dimension has size 5, expected to be a multiple of split_count 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.all_to_all"(%operands) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<4x5xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @all_to_all_c3(%operands: tensor<4x6xf32>) {
  // expected-error@+2 {{AllToAll concat_dimension 3 is out-of-bounds for input rank 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.all_to_all"(%operands) {split_dimension = 1 : i64, concat_dimension = 3 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<4x6xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @all_to_all_c3_negative(%operands: tensor<4x6xf32>) {
  // expected-error@+1 {{attribute 'concat_dimension' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = "stablehlo.all_to_all"(%operands) {split_dimension = 1 : i64, concat_dimension = -1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<4x6xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @all_to_all_c4(%operands: tensor<4x6xf32>) {
  // expected-error@+1 {{attribute 'split_count' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %0 = "stablehlo.all_to_all"(%operands) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<4x6xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @all_to_all_c5(%operands: tensor<4x6xf32>) {
  // expected-error@+2 {{replica id #0 seen more than once}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.all_to_all"(%operands) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>}
      : (tensor<4x6xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @all_to_all_c7(%operands: tensor<4x6xf32>) {
  // expected-error@+2 {{replica id #1 not seen in replica groups}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.all_to_all"(%operands) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 7]]> : tensor<1x2xi64>}
      : (tensor<4x6xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @all_to_all_c8(%operands: tensor<4x6xf32>) {
  // expected-error@+2 {{group size of replica_groups must be 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.all_to_all"(%operands) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}
      : (tensor<4x6xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @all_to_all_c9(%operands: tensor<4x6xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<8x3xf32>' are incompatible with return type(s) of operation 'tensor<4x6xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.all_to_all"(%operands) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @all_to_all_c9_element_type(%operands: tensor<4x6xf32>) {
  // expected-error@+1 {{requires the same element type for operand and result at index 0}}
  %0 = "stablehlo.all_to_all"(%operands) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<4x6xf32>) -> tensor<8x3xf64>
  return
}

// -----

func.func @all_to_all_replica_groups_rank(%operands: tensor<4x6xf32>) {
  // expected-error@+2 {{replica groups should be a rank 2 tensor}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.all_to_all"(%operands) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[0, 1]> : tensor<2xi64>}
      : (tensor<4x6xf32>) -> tensor<8x3xf32>
  return
}
