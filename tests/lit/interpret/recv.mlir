// RUN: not stablehlo-translate --interpret %s 2>&1 | FileCheck %s
// Each process waits for the other: that is said, not waited out.

// CHECK: error: 'stablehlo.recv' op deadlock: no process can continue
// CHECK-DAG: note: process (replica 0, partition 0) waits in stablehlo.recv at {{.*}}recv.mlir:9:{{[0-9]+}} on channel 1
// CHECK-DAG: note: process (replica 1, partition 0) waits in stablehlo.recv at {{.*}}recv.mlir:15:{{[0-9]+}} on channel 2
module @stuck {
  func.func @first(%token: !stablehlo.token) -> tensor<i64> {
    %result, %received = "stablehlo.recv"(%token) {
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true
    } : (!stablehlo.token) -> (tensor<i64>, !stablehlo.token)
    return %result : tensor<i64>
  }
  func.func @second(%token: !stablehlo.token) -> tensor<i64> {
    %result, %received = "stablehlo.recv"(%token) {
      channel_handle = #stablehlo.channel_handle<handle = 2, type = 3>, is_host_transfer = true
    } : (!stablehlo.token) -> (tensor<i64>, !stablehlo.token)
    return %result : tensor<i64>
  }
  func.func @main() {
    %token = stablehlo.create_token : !stablehlo.token
    %results:2 = "interpreter.run_parallel"(%token, %token) {
      programs = [[@first], [@second]]
    } : (!stablehlo.token, !stablehlo.token) -> (tensor<i64>, tensor<i64>)
    return
  }
}
