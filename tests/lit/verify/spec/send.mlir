// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics --stablehlo-verify-spec
// RUN: stablehlo-opt %s --split-input-file -o %t

func.func @send_c1_gap(%inputs: tensor<3xf32>, %token: !stablehlo.token) {
  // expected-error@+1 {{breaks C1 (entries are pairs): source_target_pairs is dense<[[0, 1, 2]]> : tensor<1x3xi64>}}
  %0 = "stablehlo.send"(%inputs, %token) {
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>
  } : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @send_c2_gap(%inputs: tensor<3xf32>, %token: !stablehlo.token) {
  // expected-error@+1 {{breaks C2 (no source sends twice): source_target_pairs is dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>}}
  %0 = "stablehlo.send"(%inputs, %token) {
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>
  } : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @send_c3_gap(%inputs: tensor<3xf32>, %token: !stablehlo.token) {
  // expected-error@+1 {{breaks C3 (no target receives twice): source_target_pairs is dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}}
  %0 = "stablehlo.send"(%inputs, %token) {
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>
  } : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @send_c4_gap(%inputs: tensor<3xf32>, %token: !stablehlo.token) {
  // expected-error@+1 {{breaks C4 (ids are those of processes): source_target_pairs is dense<[[-1, 1]]> : tensor<1x2xi64>}}
  %0 = "stablehlo.send"(%inputs, %token) {
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[-1, 1]]> : tensor<1x2xi64>
  } : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
