// A file, `-`, no input at all, and an output file all mean the same.
// RUN: stablehlo-opt %s | FileCheck %s
// RUN: stablehlo-opt - < %s | FileCheck %s
// RUN: stablehlo-opt < %s | FileCheck %s
// RUN: stablehlo-opt %s -o %t && FileCheck %s < %t
// RUN: stablehlo-opt %s -o=%t.2 && FileCheck %s < %t.2
// RUN: stablehlo-opt -- %s | FileCheck %s

// CHECK-LABEL: func.func @negated
// CHECK: stablehlo.negate %{{.*}} : tensor<3xi8>
func.func @negated(%operand: tensor<3xi8>) -> tensor<3xi8> {
  %result = stablehlo.negate %operand : tensor<3xi8>
  return %result : tensor<3xi8>
}
