// Turns dynamic ops whose shape operands are constant into their static forms.
// RUN: stablehlo-opt %s --stablehlo-canonicalize-dynamism | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(stablehlo-canonicalize-dynamism))' | FileCheck %s

// CHECK-LABEL: func.func @reshape
// CHECK-SAME: %{{.*}}: tensor<6xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.reshape %{{.*}} : (tensor<6xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %{{.*}} : tensor<2x3xf32>
func.func @reshape(%operand: tensor<6xf32>) -> tensor<2x3xf32> {
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %result = stablehlo.dynamic_reshape %operand, %shape : (tensor<6xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return %result : tensor<2x3xf32>
}
