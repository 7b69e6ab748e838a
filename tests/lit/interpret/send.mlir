// RUN: stablehlo-translate --interpret --split-input-file %s

// Through the host: what one process sends another one receives, in order.
module @host_channel {
  func.func @sender(%token: !stablehlo.token) -> !stablehlo.token {
    %first = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
    %second = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
    %sent = "stablehlo.send"(%first, %token) {
      channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true
    } : (tensor<2xi64>, !stablehlo.token) -> !stablehlo.token
    %sent_again = "stablehlo.send"(%second, %sent) {
      channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true
    } : (tensor<2xi64>, !stablehlo.token) -> !stablehlo.token
    return %sent_again : !stablehlo.token
  }
  func.func @receiver(%token: !stablehlo.token) -> (tensor<2xi64>, tensor<2xi64>) {
    %first, %received = "stablehlo.recv"(%token) {
      channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true
    } : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
    %second, %received_again = "stablehlo.recv"(%received) {
      channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true
    } : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
    return %first, %second : tensor<2xi64>, tensor<2xi64>
  }
  func.func @main() {
    %token = stablehlo.create_token : !stablehlo.token
    %results:3 = "interpreter.run_parallel"(%token, %token) {
      programs = [[@receiver], [@sender]]
    } : (!stablehlo.token, !stablehlo.token) -> (tensor<2xi64>, tensor<2xi64>, !stablehlo.token)
    check.expect_eq_const %results#0, dense<[1, 2]> : tensor<2xi64>
    check.expect_eq_const %results#1, dense<[3, 4]> : tensor<2xi64>
    return
  }
}

// -----

// From device to device, by pairs of source and target: two replicas swap.
module @source_target_pairs {
  func.func @program(%operand: tensor<f64>, %token: !stablehlo.token) -> tensor<f64> {
    %sent = "stablehlo.send"(%operand, %token) {
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
      is_host_transfer = false, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>
    } : (tensor<f64>, !stablehlo.token) -> !stablehlo.token
    %result, %received = "stablehlo.recv"(%sent) {
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
      is_host_transfer = false, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>
    } : (!stablehlo.token) -> (tensor<f64>, !stablehlo.token)
    return %result : tensor<f64>
  }
  func.func @main() {
    %token = stablehlo.create_token : !stablehlo.token
    %a = stablehlo.constant dense<0.125> : tensor<f64>
    %b = stablehlo.constant dense<-8.0> : tensor<f64>
    %results:2 = "interpreter.run_parallel"(%a, %token, %b, %token) {
      programs = [[@program], [@program]]
    } : (tensor<f64>, !stablehlo.token, tensor<f64>, !stablehlo.token) -> (tensor<f64>, tensor<f64>)
    check.expect_eq_const %results#0, dense<-8.0> : tensor<f64>
    check.expect_eq_const %results#1, dense<0.125> : tensor<f64>
    return
  }
}
