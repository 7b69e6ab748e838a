// Prints a Graphviz graph of the ops to standard error.
// RUN: stablehlo-opt %s --view-op-graph -o /dev/null 2>&1 | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(view-op-graph)' -o /dev/null 2>&1 | FileCheck %s
// RUN: stablehlo-opt %s --view-op-graph=print-result-types=false -o /dev/null 2>&1 | FileCheck --check-prefix=TYPES %s

// CHECK: digraph G {
// CHECK: stablehlo.sine{{.*}}tensor\<f32\>
// TYPES: digraph G {
// TYPES-NOT: stablehlo.sine{{.*}}tensor
func.func @main(%operand: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.sine %operand : tensor<f32>
  return %0 : tensor<f32>
}
