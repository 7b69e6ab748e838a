// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @send(%inputs: tensor<3xf32>, %token: !stablehlo.token) {
  %0 = "stablehlo.send"(%inputs, %token) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}
      : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @send_c5_device(%inputs: tensor<3xf32>, %token: !stablehlo.token) {
  %0 = "stablehlo.send"(%inputs, %token) {
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false,
    source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>
  } : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @send_c5_host(%inputs: tensor<3xf32>, %token: !stablehlo.token) {
  // expected-error@+2 {{channel_type should be DEVICE_TO_HOST when is_host_transfer is true}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.send"(%inputs, %token) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = true}
      : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @send_c5_device_invalid(%inputs: tensor<3xf32>, %token: !stablehlo.token) {
  // expected-error@+2 {{channel_type should be DEVICE_TO_DEVICE when is_host_transfer is false}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.send"(%inputs, %token) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = false}
      : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @send_result(%inputs: tensor<3xf32>, %token: !stablehlo.token) {
  // expected-error@+1 {{result #0 must be token, but got 'tensor<3xf32>'}}
  %0 = "stablehlo.send"(%inputs, %token) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}
      : (tensor<3xf32>, !stablehlo.token) -> tensor<3xf32>
  return
}
