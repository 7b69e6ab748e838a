// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @reduce_scatter(%operand: tensor<4x6xf32>) {
  %0 = "stablehlo.reduce_scatter"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @reduce_scatter_c8_dynamic(%operand: tensor<?x?xf32>) {
  %0 = "stablehlo.reduce_scatter"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<?x?xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @reduce_scatter_c6_c7_c9_promotion(%operand: tensor<4xi8>) {
  %0 = "stablehlo.reduce_scatter"(%operand) ({
    ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
      stablehlo.return %lhs : tensor<i32>
  }) {
    scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 2, type = 0>, use_global_device_ids
  } : (tensor<4xi8>) -> tensor<2xi32>
  return
}

// -----

func.func @reduce_scatter_c1(%operand: tensor<4x5xf32>) {
  // expected-error@+1 {{operand scatter dimension has size 5, expected to be a multiple of result scatter dimension size 2}}
  %0 = "stablehlo.reduce_scatter"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x5xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @reduce_scatter_c2(%operand: tensor<4x6xf32>) {
  // expected-error@+1 {{scatter dim should be less than operand/result rank}}
  %0 = "stablehlo.reduce_scatter"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {scatter_dimension = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @reduce_scatter_c2_negative(%operand: tensor<4x6xf32>) {
  // expected-error@+1 {{attribute 'scatter_dimension' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = "stablehlo.reduce_scatter"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {scatter_dimension = -1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @reduce_scatter_c3(%operand: tensor<4x6xf32>) {
  // expected-error@+1 {{replica id #0 seen more than once}}
  %0 = "stablehlo.reduce_scatter"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @reduce_scatter_c5(%operand: tensor<4x6xf32>) {
  // expected-error@+1 {{replica id #1 not seen in replica groups}}
  %0 = "stablehlo.reduce_scatter"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 3]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @reduce_scatter_c6(%operand: tensor<4x6xf32>) {
  // expected-error@+1 {{channel_id must be positive when useGlobalDeviceIds is set but got: 0}}
  %0 = "stablehlo.reduce_scatter"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {
    scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, use_global_device_ids
  } : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @reduce_scatter_c7_arity(%operand: tensor<4x6xf32>) {
  // expected-error@+1 {{Reduction-region must take 2 parameters, but takes 1 parameter(s)}}
  %0 = "stablehlo.reduce_scatter"(%operand) ({
    ^bb0(%lhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @reduce_scatter_c7_promotion(%operand: tensor<4x6xf32>) {
  // expected-error@+1 {{The element-type of reduction-region's result type at index 0 is expected to be promotable from the op's corresponding init-value element-type: 'tensor<i32>' vs 'tensor<f32>'}}
  %0 = "stablehlo.reduce_scatter"(%operand) ({
    ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
      stablehlo.return %lhs : tensor<i32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<4x3xi32>
  return
}

// -----

func.func @reduce_scatter_c8_multiple(%operand: tensor<4x6xf32>) {
  // expected-error@+1 {{operand scatter dimension has size 6, expected to be a multiple of result scatter dimension size 4}}
  %0 = "stablehlo.reduce_scatter"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @reduce_scatter_c8_other_dimension(%operand: tensor<4x6xf32>) {
  // expected-error@+1 {{non scatter dimensions should be same for operand (4) and result (2)}}
  %0 = "stablehlo.reduce_scatter"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @reduce_scatter_c8_rank(%operand: tensor<4x6xf32>) {
  // expected-error@+1 {{operand and result should have same rank}}
  %0 = "stablehlo.reduce_scatter"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<12xf32>
  return
}

// -----

func.func @reduce_scatter_c8_empty_result(%operand: tensor<4x6xf32>) {
  // expected-error@+1 {{result dimension size at scatter_dimension cannot be zero}}
  %0 = "stablehlo.reduce_scatter"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<4x0xf32>
  return
}

// -----

func.func @reduce_scatter_c8_empty_operand(%operand: tensor<4x0xf32>) {
  // expected-error@+1 {{operand dimension size at scatter_dimension cannot be zero}}
  %0 = "stablehlo.reduce_scatter"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x0xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @reduce_scatter_c9(%operand: tensor<4x6xf32>) {
  // expected-error@+1 {{result element-type is expected to be 'f32', but got 'f64'}}
  %0 = "stablehlo.reduce_scatter"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<4x3xf64>
  return
}
