// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @create_token(
// CHECK: types0 = !stablehlo.token
func.func @create_token() {
  %0 = stablehlo.create_token : !stablehlo.token
  %shown = "hlo_test_infer.get_return_types"(%0) : (!stablehlo.token) -> !stablehlo.token
  return
}
