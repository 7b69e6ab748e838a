// Evaluates @shape_assertion custom calls and removes those that hold.
// REQUIRES: pass-stablehlo-check-shape-assertions
// RUN: stablehlo-opt %s --stablehlo-check-shape-assertions --split-input-file --verify-diagnostics | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(stablehlo-check-shape-assertions))' --split-input-file --verify-diagnostics | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-check-shape-assertions=enable-shape-assertions=false --split-input-file | FileCheck --check-prefix=DISABLED %s

// CHECK-LABEL: func.func @holds
// CHECK-NOT: custom_call
func.func @holds(%operand: tensor<4xf32>) -> tensor<4xf32> {
  %true = stablehlo.constant dense<true> : tensor<i1>
  stablehlo.custom_call @shape_assertion(%true) {error_message = "not four", has_side_effect = true} : (tensor<i1>) -> ()
  return %operand : tensor<4xf32>
}

// -----

// DISABLED-LABEL: func.func @fails
// DISABLED-NOT: custom_call
func.func @fails(%operand: tensor<4xf32>) -> tensor<4xf32> {
  %false = stablehlo.constant dense<false> : tensor<i1>
  // expected-error @below {{not four}}
  stablehlo.custom_call @shape_assertion(%false) {error_message = "not four", has_side_effect = true} : (tensor<i1>) -> ()
  return %operand : tensor<4xf32>
}
