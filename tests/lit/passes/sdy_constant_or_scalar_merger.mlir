// Merges equal constants that have equal shardings.
// REQUIRES: pass-sdy-constant-or-scalar-merger
// RUN: stablehlo-opt %s --sdy-constant-or-scalar-merger | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(sdy-constant-or-scalar-merger))' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
// CHECK-NEXT: %{{.*}} = stablehlo.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.add %{{.*}}, %{{.*}} : tensor<8xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.multiply %{{.*}}, %{{.*}} : tensor<8xf32>
// CHECK-NEXT: return %{{.*}}, %{{.*}} : tensor<8xf32>, tensor<8xf32>
func.func @main(%operand: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %first = stablehlo.constant dense<1.0> : tensor<8xf32>
  %second = stablehlo.constant dense<1.0> : tensor<8xf32>
  %0 = stablehlo.add %operand, %first : tensor<8xf32>
  %1 = stablehlo.multiply %operand, %second : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
