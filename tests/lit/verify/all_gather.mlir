// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @all_gather(%operands: tensor<2x3xf32>) {
  %0 = "stablehlo.all_gather"(%operands) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}
      : (tensor<2x3xf32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @all_gather_c5_several(%operands0: tensor<2xf32>, %operands1: tensor<2xi8>) {
  %0:2 = "stablehlo.all_gather"(%operands0, %operands1) {
    all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids
  } : (tensor<2xf32>, tensor<2xi8>) -> (tensor<6xf32>, tensor<6xi8>)
  return
}

// -----

func.func @all_gather_c6_dynamic(%operands: tensor<?x3xf32>) {
  %0 = "stablehlo.all_gather"(%operands) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}
      : (tensor<?x3xf32>) -> tensor<2x?xf32>
  return
}

// -----

func.func @all_gather_c4_padded(%operands: tensor<2xf32>) {
  // expected-error@+1 {{Invalid replica id -1}}
  %0 = "stablehlo.all_gather"(%operands) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>}
      : (tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @all_gather_c1(%operands: tensor<2x3xf32>) {
  // expected-error@+1 {{all_gather_dim must be a valid index of operand}}
  %0 = "stablehlo.all_gather"(%operands) {all_gather_dim = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<2x3xf32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @all_gather_c1_negative(%operands: tensor<2x3xf32>) {
  // expected-error@+1 {{attribute 'all_gather_dim' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = "stablehlo.all_gather"(%operands) {all_gather_dim = -1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<2x3xf32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @all_gather_c2(%operands: tensor<2xf32>) {
  // expected-error@+1 {{replica id #1 seen more than once}}
  %0 = "stablehlo.all_gather"(%operands) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}
      : (tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @all_gather_c4(%operands: tensor<2xf32>) {
  // expected-error@+1 {{replica id #3 not seen in replica groups}}
  %0 = "stablehlo.all_gather"(%operands) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 5]]> : tensor<2x2xi64>}
      : (tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @all_gather_c5(%operands: tensor<2xf32>) {
  // expected-error@+1 {{channel_id cannot be negative when useGlobalDeviceIds is set}}
  %0 = "stablehlo.all_gather"(%operands) {
    all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = -1, type = 0>, use_global_device_ids
  } : (tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @all_gather_c6_multiple(%operands: tensor<2x3xf32>) {
  // expected-error@+1 {{result gather dimension has size 7, expected to be a multiple of operand gather dimension size 3}}
  %0 = "stablehlo.all_gather"(%operands) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<2x3xf32>) -> tensor<2x7xf32>
  return
}

// -----

func.func @all_gather_c6_other_dimension(%operands: tensor<2x3xf32>) {
  // expected-error@+1 {{operand and result should have the same shape except for the dimension size at 'all_gather_dim'}}
  %0 = "stablehlo.all_gather"(%operands) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<2x3xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @all_gather_c6_rank(%operands: tensor<2x3xf32>) {
  // expected-error@+1 {{operand and result must have the same rank}}
  %0 = "stablehlo.all_gather"(%operands) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<2x3xf32>) -> tensor<12xf32>
  return
}

// -----

func.func @all_gather_c6_element_type(%operands: tensor<2x3xf32>) {
  // expected-error@+1 {{requires the same element type for operand and result at index 0}}
  %0 = "stablehlo.all_gather"(%operands) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<2x3xf32>) -> tensor<2x6xf64>
  return
}

// -----

func.func @all_gather_c6_empty(%operands: tensor<2x0xf32>) {
  // expected-error@+1 {{dimension size of operand at 'all_gather_dim' cannot be zero}}
  %0 = "stablehlo.all_gather"(%operands) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<2x0xf32>) -> tensor<2x0xf32>
  return
}

// -----

func.func @all_gather_replica_groups_rank(%operands: tensor<2xf32>) {
  // expected-error@+1 {{replica groups should be a rank 2 tensor}}
  %0 = "stablehlo.all_gather"(%operands) {all_gather_dim = 0 : i64, replica_groups = dense<[0, 1]> : tensor<2xi64>}
      : (tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @all_gather_replica_groups_empty(%operands: tensor<2xf32>) {
  // expected-error@+1 {{if `use_global_device_ids` is set, the replica groups cannot be empty}}
  %0 = "stablehlo.all_gather"(%operands) {
    all_gather_dim = 0 : i64, replica_groups = dense<> : tensor<0x0xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids
  } : (tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @all_gather_replica_groups_element_type(%operands: tensor<2xf32>) {
  // expected-error@+1 {{attribute 'replica_groups' failed to satisfy constraint: 64-bit signless integer elements attribute}}
  %0 = "stablehlo.all_gather"(%operands) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi32>}
      : (tensor<2xf32>) -> tensor<4xf32>
  return
}
