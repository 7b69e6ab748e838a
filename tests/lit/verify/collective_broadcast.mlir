// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @collective_broadcast(%operand: tensor<4xf32>) {
  %0 = "stablehlo.collective_broadcast"(%operand) {replica_groups = dense<[[2, 0], [1, 3]]> : tensor<2x2xi64>}
      : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_broadcast_c3_dynamic(%operand: tensor<?xf32>) {
  %0 = "stablehlo.collective_broadcast"(%operand) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 0>}
      : (tensor<?xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_broadcast_c1(%operand: tensor<4xf32>) {
  // expected-error@+1 {{replica id #2 seen more than once}}
  %0 = "stablehlo.collective_broadcast"(%operand) {replica_groups = dense<[[2, 0], [1, 2]]> : tensor<2x2xi64>}
      : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_broadcast_c2(%operand: tensor<4xf32>) {
  // expected-error@+1 {{replica_groups values must be positive, but was given -1}}
  %0 = "stablehlo.collective_broadcast"(%operand) {replica_groups = dense<[[2, -1]]> : tensor<1x2xi64>}
      : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_broadcast_c3(%operand: tensor<4xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<5xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.collective_broadcast"(%operand) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @collective_broadcast_replica_groups_rank(%operand: tensor<4xf32>) {
  // expected-error@+1 {{replica groups should be a rank 2 tensor,but instead it is of rank 1}}
  %0 = "stablehlo.collective_broadcast"(%operand) {replica_groups = dense<[0, 1]> : tensor<2xi64>}
      : (tensor<4xf32>) -> tensor<4xf32>
  return
}
