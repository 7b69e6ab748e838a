// Merges the copies of functions that flattening made.
// REQUIRES: pass-sdy-unflatten-call-graph
// RUN: stablehlo-opt %s --sdy-unflatten-call-graph | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(sdy-unflatten-call-graph)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-NEXT: call @layer(
// CHECK-NEXT: call @layer(
func.func @main(%operand: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @layer(%operand) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @layer_again(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @layer(%operand: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %operand : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @layer_again(%operand: tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "layer"} {
  %0 = stablehlo.tanh %operand : tensor<8xf32>
  return %0 : tensor<8xf32>
}
