// REQUIRES: location-setters
// RUN: stablehlo-opt %s | FileCheck --check-prefix=SCOPED %s
// RUN: stablehlo-opt %s --mlir-print-unique-ssa-ids | FileCheck %s
// RUN: stablehlo-opt %s --mlir-print-unique-ssa-ids | stablehlo-opt | FileCheck --check-prefix=SCOPED %s

// SCOPED-LABEL: @first(%arg0
// SCOPED: %1 = stablehlo.negate
// SCOPED: %1 = stablehlo.floor
// SCOPED-LABEL: @second(%arg0
// SCOPED: %0 = stablehlo.abs
// CHECK-LABEL: @first(%arg0: tensor<i1>, %arg1: tensor<f32>)
// CHECK: %0 = "stablehlo.if"
// CHECK: %1 = stablehlo.negate %arg1
// CHECK: stablehlo.return %1
// CHECK: %2 = stablehlo.floor %arg1
// CHECK: stablehlo.return %2
// CHECK: return %0
// CHECK-LABEL: @second(%arg2: tensor<f32>)
// CHECK: %3 = stablehlo.abs %arg2
func.func @first(%which: tensor<i1>, %operand: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.if"(%which) ({
    %1 = stablehlo.negate %operand : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }, {
    %2 = stablehlo.floor %operand : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @second(%operand: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.abs %operand : tensor<f32>
  return %0 : tensor<f32>
}
