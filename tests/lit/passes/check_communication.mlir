// RUN: stablehlo-opt --check-communication="num-replicas=4" --split-input-file --verify-diagnostics %s

module @groups_cover {
  func.func @main(%x: tensor<4xf32>) -> tensor<8xf32> {
    %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}
      : (tensor<4xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

module @groups_do_not_cover {
  func.func @main(%x: tensor<4xf32>) -> tensor<8xf32> {
    // expected-error@+1 {{'stablehlo.all_gather' op has no group with (replica 2, partition 0), (replica 3, partition 0)}}
    %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<4xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

module @outside_the_grid {
  func.func @main(%x: tensor<4xf32>) -> tensor<20xf32> {
    // expected-error@+1 {{'stablehlo.all_gather' op names processes outside the grid of 4 replicas by 1 partitions: (replica 4, partition 0)}}
    %0 = "stablehlo.all_gather"(%x) {
      all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3, 4]]> : tensor<1x5xi64>
    } : (tensor<4xf32>) -> tensor<20xf32>
    return %0 : tensor<20xf32>
  }
}

// -----

module @groups_overlap {
  func.func @main(%x: tensor<4xf32>) -> tensor<8xf32> {
    // expected-error@+1 {{replica id #1 seen more than once}}
    %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}
      : (tensor<4xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

module @two_sources {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{duplicate targets not allowed}}
    %0 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}
      : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

module @send_without_receive {
  func.func @main(%x: tensor<4xf32>, %token: !stablehlo.token) -> !stablehlo.token {
    // expected-error@+1 {{'stablehlo.send' op uses channel 7, from which no process receives}}
    %0 = "stablehlo.send"(%x, %token) {
      channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, is_host_transfer = false
    } : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
    return %0 : !stablehlo.token
  }
}

// -----

module @receive_without_send {
  func.func @main(%token: !stablehlo.token) -> tensor<4xf32> {
    // expected-error@+1 {{'stablehlo.recv' op uses channel 7, to which no process sends}}
    %0, %1 = "stablehlo.recv"(%token) {
      channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, is_host_transfer = false
    } : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
    return %0 : tensor<4xf32>
  }
}

// -----

module @other_types_are_received {
  func.func @main(%x: tensor<4xf32>, %token: !stablehlo.token) -> tensor<2xf32> {
    %sent = "stablehlo.send"(%x, %token) {
      channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, is_host_transfer = false
    } : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
    // expected-error@+2 {{'stablehlo.recv' op receives tensor<2xf32> from channel 7, to which tensor<4xf32> is sent}}
    // expected-note@+1 {{it is sent at}}
    %0, %1 = "stablehlo.recv"(%sent) {
      channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, is_host_transfer = false
    } : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
    return %0 : tensor<2xf32>
  }
}

// -----

module @a_channel_of_two_kinds {
  func.func @main(%x: tensor<4xf32>, %token: !stablehlo.token) -> tensor<4xf32> {
    // expected-error@+2 {{'stablehlo.send' op uses channel 7, as 'stablehlo.collective_permute' does}}
    // expected-note@+1 {{which stands at}}
    %sent = "stablehlo.send"(%x, %token) {
      channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, is_host_transfer = false
    } : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
    %0 = "stablehlo.collective_permute"(%x) {
      source_target_pairs = dense<[[0, 0]]> : tensor<1x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 7, type = 0>
    } : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

module @different_collectives_on_a_channel {
  func.func @gathers(%x: tensor<2xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.all_gather"(%x) {
      all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>
    } : (tensor<2xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func @swaps(%x: tensor<2xf32>) -> tensor<2xf32> {
    // expected-error@+2 {{'stablehlo.reduce_scatter' op meets 'stablehlo.all_gather' of process (replica 0, partition 0) on channel 1}}
    // expected-note@+1 {{which stands at}}
    %0 = "stablehlo.reduce_scatter"(%x) ({
    ^bb0(%left: tensor<f32>, %right: tensor<f32>):
      %sum = stablehlo.add %left, %right : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) {
      scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>
    } : (tensor<2xf32>) -> tensor<1xf32>
    %1 = stablehlo.concatenate %0, %0, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    return %1 : tensor<2xf32>
  }
  func.func @main(%x: tensor<2xf32>) {
    %0:2 = "interpreter.run_parallel"(%x, %x) {programs = [[@gathers], [@swaps]]}
      : (tensor<2xf32>, tensor<2xf32>) -> (tensor<4xf32>, tensor<2xf32>)
    return
  }
}

// -----

module @members_bring_different_shapes {
  func.func @two(%x: tensor<2xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<2xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func @three(%x: tensor<3xf32>) -> tensor<6xf32> {
    // expected-error@+2 {{'stablehlo.all_gather' op brings tensor<3xf32>, where process (replica 0, partition 0) brings tensor<2xf32>}}
    // expected-note@+1 {{which stands at}}
    %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<3xf32>) -> tensor<6xf32>
    return %0 : tensor<6xf32>
  }
  func.func @main(%x: tensor<2xf32>, %y: tensor<3xf32>) {
    %0:2 = "interpreter.run_parallel"(%x, %y) {programs = [[@two], [@three]]}
      : (tensor<2xf32>, tensor<3xf32>) -> (tensor<4xf32>, tensor<6xf32>)
    return
  }
}

// -----

module @one_does_not_come {
  func.func @comes(%x: tensor<2xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{'stablehlo.all_gather' op waits for process (replica 1, partition 0), which does not come to it}}
    %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<2xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func @stays(%x: tensor<2xf32>) -> tensor<2xf32> {
    return %x : tensor<2xf32>
  }
  func.func @main(%x: tensor<2xf32>) {
    %0:2 = "interpreter.run_parallel"(%x, %x) {programs = [[@comes], [@stays]]}
      : (tensor<2xf32>, tensor<2xf32>) -> (tensor<4xf32>, tensor<2xf32>)
    return
  }
}
