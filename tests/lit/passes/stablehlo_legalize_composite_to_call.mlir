// Replaces composites by calls of their decompositions.
// RUN: stablehlo-opt %s --stablehlo-legalize-composite-to-call | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(stablehlo-legalize-composite-to-call))' | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-legalize-composite-to-call=except=garden.harvest | FileCheck --check-prefix=EXCEPT %s

// CHECK-LABEL: func.func @main
// CHECK-NEXT: call @grow
// CHECK-NEXT: call @grow
// EXCEPT-LABEL: func.func @main
// EXCEPT-NEXT: call @grow
// EXCEPT-NEXT: stablehlo.composite "garden.harvest"
func.func @main(%operand: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.composite "garden.plant" %operand {decomposition = @grow} : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.composite "garden.harvest" %0 {decomposition = @grow} : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @grow(%operand: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %operand, %operand : tensor<f32>
  return %0 : tensor<f32>
}
