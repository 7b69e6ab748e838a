// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @broadcast_complex(
// CHECK: types0 = tensor<4x3xcomplex<f64>>
func.func @broadcast_complex(%lhs: tensor<4x1xf64>, %rhs: tensor<3xf64>) {
  %0 = chlo.broadcast_complex %lhs, %rhs : (tensor<4x1xf64>, tensor<3xf64>) -> tensor<?x?xcomplex<f64>>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xcomplex<f64>>) -> tensor<?x?xcomplex<f64>>
  return
}
