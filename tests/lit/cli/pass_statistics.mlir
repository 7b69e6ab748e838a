// REQUIRES: pass-statistics
// RUN: stablehlo-opt %s --cse --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s

// CHECK: Pass statistics report
// CHECK-NEXT: ===---
func.func @main(%operand: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.ceil %operand : tensor<f32>
  %1 = stablehlo.ceil %operand : tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
