// Sorts ops so that values are defined before they are used, where order is free.
// RUN: stablehlo-opt %s --topological-sort | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(topological-sort)' | FileCheck %s

// CHECK: %{{.*}} = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %{{.*}} = stablehlo.negate %{{.*}} : tensor<f32>
module {
  %negated = stablehlo.negate %one : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
}
