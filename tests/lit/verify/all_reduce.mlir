// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @all_reduce(%operand: tensor<4xf32>) {
  %0 = "stablehlo.all_reduce"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @all_reduce_c4_channel(%operand: tensor<4xf32>) {
  %0 = "stablehlo.all_reduce"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 5, type = 0>, use_global_device_ids
  } : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @all_reduce_c6_dynamic(%operand: tensor<?xf32>) {
  %0 = "stablehlo.all_reduce"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<?xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @all_reduce_c5_c7_promotion(%operand: tensor<4xi8>) {
  %0 = "stablehlo.all_reduce"(%operand) ({
    ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
      stablehlo.return %lhs : tensor<i32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xi8>) -> tensor<4xi32>
  return
}

// -----

func.func @all_reduce_c1(%operand: tensor<4xf32>) {
  // expected-error@+1 {{replica id #1 seen more than once}}
  %0 = "stablehlo.all_reduce"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @all_reduce_c3(%operand: tensor<4xf32>) {
  // expected-error@+1 {{replica id #3 not seen in replica groups}}
  %0 = "stablehlo.all_reduce"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [2, 4]]> : tensor<2x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @all_reduce_c4(%operand: tensor<4xf32>) {
  // expected-error@+1 {{channel_id must be positive when useGlobalDeviceIds is set but got: 0}}
  %0 = "stablehlo.all_reduce"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {
    replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, use_global_device_ids
  } : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @all_reduce_c5_arity(%operand: tensor<4xf32>) {
  // expected-error@+1 {{Reduction-region must take 2 parameters, but takes 1 parameter(s)}}
  %0 = "stablehlo.all_reduce"(%operand) ({
    ^bb0(%lhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @all_reduce_c5_result_type(%operand: tensor<4xf32>) {
  // expected-error@+1 {{The type of reduction-region's parameter at index 0 is different than the corresponding result type: 'tensor<f32>' vs 'tensor<i32>'}}
  %0 = "stablehlo.all_reduce"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %integer = stablehlo.convert %lhs : (tensor<f32>) -> tensor<i32>
      stablehlo.return %integer : tensor<i32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @all_reduce_c5_promotion(%operand: tensor<4xf32>) {
  // expected-error@+1 {{The element-type of reduction-region's result type at index 0 is expected to be promotable from the op's corresponding init-value element-type: 'tensor<i8>' vs 'tensor<f32>'}}
  %0 = "stablehlo.all_reduce"(%operand) ({
    ^bb0(%lhs: tensor<i8>, %rhs: tensor<i8>):
      stablehlo.return %lhs : tensor<i8>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xi8>
  return
}

// -----

func.func @all_reduce_c6(%operand: tensor<4xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<5xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.all_reduce"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @all_reduce_c7(%operand: tensor<4xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<4xf64>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.all_reduce"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @all_reduce_replica_groups_rank(%operand: tensor<4xf32>) {
  // expected-error@+1 {{replica groups should be a rank 2 tensor}}
  %0 = "stablehlo.all_reduce"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {replica_groups = dense<[0, 1]> : tensor<2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @all_reduce_replica_groups_empty(%operand: tensor<4xf32>) {
  // expected-error@+1 {{if `use_global_device_ids` is set, the replica groups cannot be empty}}
  %0 = "stablehlo.all_reduce"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {
    replica_groups = dense<> : tensor<0x0xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 5, type = 0>, use_global_device_ids
  } : (tensor<4xf32>) -> tensor<4xf32>
  return
}
