// Approximates trigonometric functions by rational ones.
// REQUIRES: pass-mhlo-legalize-trigonometric-to-approximation
// RUN: stablehlo-opt %s --mhlo-legalize-trigonometric-to-approximation | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(mhlo-legalize-trigonometric-to-approximation))' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: %{{.*}} = arith.divf %{{.*}}, %{{.*}} : f32
// CHECK: %{{.*}} = arith.cmpf olt, %{{.*}}, %{{.*}} : f32
func.func @main(%operand: f32) -> f32 {
  %0 = math.tanh %operand : f32
  return %0 : f32
}
