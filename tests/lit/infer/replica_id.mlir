// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @replica_id(
// CHECK: types0 = tensor<ui32>
func.func @replica_id() {
  %0 = stablehlo.replica_id : tensor<ui32>
  %shown = "hlo_test_infer.get_return_types"(%0) : (tensor<ui32>) -> tensor<ui32>
  return
}
