// REQUIRES: op-chlo.mulhi
// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @mulhi(
// CHECK: types0 = tensor<3x4xi32>
func.func @mulhi(%lhs: tensor<3x?xi32>, %rhs: tensor<?x4xi32>) {
  %0 = "chlo.mulhi"(%lhs, %rhs) : (tensor<3x?xi32>, tensor<?x4xi32>) -> tensor<?x?xi32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi32>) -> tensor<?x?xi32>
  return
}
