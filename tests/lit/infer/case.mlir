// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @case(
// CHECK: types0 = tensor<?xf32>
func.func @case(%index: tensor<i32>, %dynamic: tensor<?xf32>, %static: tensor<3xf32>) {
  %0 = "stablehlo.case"(%index) ({
      stablehlo.return %dynamic : tensor<?xf32>
  }, {
      stablehlo.return %static : tensor<3xf32>
  }) : (tensor<i32>) -> tensor<?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @case_static(
// CHECK: types0 = tensor<3xf32>
func.func @case_static(%index: tensor<i32>, %static: tensor<3xf32>) {
  %0 = "stablehlo.case"(%index) ({
      stablehlo.return %static : tensor<3xf32>
  }) : (tensor<i32>) -> tensor<?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}
