// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics --stablehlo-verify-spec
// RUN: stablehlo-opt %s --split-input-file -o %t

func.func @all_gather_c5_gap(%operands: tensor<2xf32>) {
  // expected-error@+1 {{breaks C5 (global ids need a channel): channel_handle is #stablehlo.channel_handle<handle = 0, type = 0>, use_global_device_ids is unit}}
  %0 = "stablehlo.all_gather"(%operands) {
    all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, use_global_device_ids
  } : (tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @all_gather_c6_gap(%operands: tensor<2x3xf32>) {
  // expected-error@+1 {{breaks C6 (all_gather_dim grows by the size of a group; nothing else changes): dimension 1 of result 0 is declared 9, it is 6}}
  %0 = "stablehlo.all_gather"(%operands) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<2x3xf32>) -> tensor<2x9xf32>
  return
}
