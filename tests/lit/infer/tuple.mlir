// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @tuple(
// CHECK: types0 = tuple<tensor<2xf32>, tensor<i1>>
func.func @tuple(%val0: tensor<2xf32>, %val1: tensor<i1>) {
  %0 = stablehlo.tuple %val0, %val1 : tuple<tensor<2xf32>, tensor<i1>>
  %shown = "hlo_test_infer.get_return_types"(%0)
      : (tuple<tensor<2xf32>, tensor<i1>>) -> tuple<tensor<2xf32>, tensor<i1>>
  return
}
