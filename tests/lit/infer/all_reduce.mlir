// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @all_reduce(
// CHECK: types0 = tensor<4xi32>, types1 = tensor<?xi32>
func.func @all_reduce(%operands0: tensor<4xi8>, %operands1: tensor<?xi8, #stablehlo.bounds<3>>) {
  %0:2 = "stablehlo.all_reduce"(%operands0, %operands1) ({
    ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
      stablehlo.return %lhs : tensor<i32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xi8>, tensor<?xi8, #stablehlo.bounds<3>>) -> (tensor<?xi32>, tensor<?xi32>)
  %shown = "hlo_test_infer.get_return_types"(%0#0) : (tensor<?xi32>) -> tensor<?xi32>
  return
}
