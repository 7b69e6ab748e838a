// REQUIRES: stablehlo-1.15
// RUN: stablehlo-translate --interpret --split-input-file %s

module @meets_at_the_side {
  // One process starts the reduction and then sends; the other receives before it starts the reduction. A reduction
  // that held up its process could not end here.
  func.func @sends(%operand: tensor<2xi64>, %token: !stablehlo.token) -> tensor<2xi64> {
    %future = "stablehlo.async_start"(%operand) ({
    ^body(%value: tensor<2xi64>):
      %sum = "stablehlo.all_reduce"(%value) ({
    ^body(%lhs: tensor<i64>, %rhs: tensor<i64>):
      %combined = stablehlo.add %lhs, %rhs : tensor<i64>
      stablehlo.return %combined : tensor<i64>
    }) {
        replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
      } : (tensor<2xi64>) -> tensor<2xi64>
      stablehlo.return %sum : tensor<2xi64>
    }) : (tensor<2xi64>) -> !stablehlo.future<tensor<2xi64>>
    %sent = "stablehlo.send"(%operand, %token) {
      channel_handle = #stablehlo.channel_handle<handle = 9, type = 2>, is_host_transfer = true
    } : (tensor<2xi64>, !stablehlo.token) -> !stablehlo.token
    %result = "stablehlo.async_done"(%future) : (!stablehlo.future<tensor<2xi64>>) -> tensor<2xi64>
    return %result : tensor<2xi64>
  }
  func.func @receives(%operand: tensor<2xi64>, %token: !stablehlo.token) -> (tensor<2xi64>, tensor<2xi64>) {
    %received, %done = "stablehlo.recv"(%token) {
      channel_handle = #stablehlo.channel_handle<handle = 9, type = 3>, is_host_transfer = true
    } : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
    %sum = "stablehlo.all_reduce"(%operand) ({
    ^body(%lhs: tensor<i64>, %rhs: tensor<i64>):
      %combined = stablehlo.add %lhs, %rhs : tensor<i64>
      stablehlo.return %combined : tensor<i64>
    }) {
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
    } : (tensor<2xi64>) -> tensor<2xi64>
    return %received, %sum : tensor<2xi64>, tensor<2xi64>
  }
  func.func @main() {
    %token = stablehlo.create_token : !stablehlo.token
    %a = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
    %b = stablehlo.constant dense<[30, 40]> : tensor<2xi64>
    %results:3 = "interpreter.run_parallel"(%a, %token, %b, %token) {
      programs = [[@sends], [@receives]]
    } : (tensor<2xi64>, !stablehlo.token, tensor<2xi64>, !stablehlo.token)
        -> (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
    check.expect_eq_const %results#0, dense<[31, 42]> : tensor<2xi64>
    check.expect_eq_const %results#1, dense<[1, 2]> : tensor<2xi64>
    check.expect_eq_const %results#2, dense<[31, 42]> : tensor<2xi64>
    return
  }
}
