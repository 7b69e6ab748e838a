// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @triangular_solve(
// CHECK: types0 = tensor<4x3xf32>
func.func @triangular_solve(%a: tensor<4x4xf32>, %b: tensor<4x3xf32>) {
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}
      : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<?x?xf32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}
