// Gives each use of a constant a constant of its own.
// REQUIRES: anchor-sdy-constant-or-scalar-splitter-module
// RUN: stablehlo-opt %s --sdy-constant-or-scalar-splitter | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(sdy-constant-or-scalar-splitter)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
// CHECK-NEXT: %{{.*}} = sdy.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK-NEXT: %{{.*}} = sdy.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.add %{{.*}}, %{{.*}} : tensor<8xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.multiply %{{.*}}, %{{.*}} : tensor<8xf32>
// CHECK-NEXT: return %{{.*}}, %{{.*}} : tensor<8xf32>, tensor<8xf32>
func.func @main(%operand: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %constant = stablehlo.constant dense<1.0> : tensor<8xf32>
  %0 = stablehlo.add %operand, %constant : tensor<8xf32>
  %1 = stablehlo.multiply %operand, %constant : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
