// RUN: not stablehlo-translate --serialize %s -o %t 2>&1 | FileCheck %s
// RUN: not test -e %t

// CHECK: error: 'stablehlo.custom_call' op carries backend_config.deep.axes = array<i32: 0, 4>, which no portable artifact can hold
// CHECK: note: write dense<[0, 4]> : tensor<2xi32>
func.func @main(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %result = stablehlo.custom_call @target(%operand) {
    api_version = 4 : i32, backend_config = {scale = 0.5 : f32, deep = {names = ["p"], axes = array<i32: 0, 4>}}
  } : (tensor<2xf32>) -> tensor<2xf32>
  return %result : tensor<2xf32>
}
