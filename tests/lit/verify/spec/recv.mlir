// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics --stablehlo-verify-spec
// RUN: stablehlo-opt %s --split-input-file -o %t

func.func @recv_c1_gap(%token: !stablehlo.token) {
  // expected-error@+1 {{breaks C1 (entries are pairs): source_target_pairs is dense<0> : tensor<1x1xi64>}}
  %0:2 = "stablehlo.recv"(%token) {
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0]]> : tensor<1x1xi64>
  } : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
  return
}

// -----

func.func @recv_c2_gap(%token: !stablehlo.token) {
  // expected-error@+1 {{breaks C2 (no source sends twice): source_target_pairs is dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>}}
  %0:2 = "stablehlo.recv"(%token) {
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>
  } : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
  return
}

// -----

func.func @recv_c3_gap(%token: !stablehlo.token) {
  // expected-error@+1 {{breaks C3 (no target receives twice): source_target_pairs is dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}}
  %0:2 = "stablehlo.recv"(%token) {
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>
  } : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
  return
}

// -----

func.func @recv_c4_gap(%token: !stablehlo.token) {
  // expected-error@+1 {{breaks C4 (ids are those of processes): source_target_pairs is dense<[[0, -1]]> : tensor<1x2xi64>}}
  %0:2 = "stablehlo.recv"(%token) {
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, -1]]> : tensor<1x2xi64>
  } : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
  return
}
