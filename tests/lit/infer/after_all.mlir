// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @after_all(
// CHECK: types0 = !stablehlo.token
func.func @after_all(%token: !stablehlo.token) {
  %0 = stablehlo.after_all %token, %token : !stablehlo.token
  %shown = "hlo_test_infer.get_return_types"(%0) : (!stablehlo.token) -> !stablehlo.token
  return
}
