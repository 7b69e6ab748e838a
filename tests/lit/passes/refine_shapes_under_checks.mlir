// Shapes are refined under check ops too, which are unregistered ops to the compiled pass.
// RUN: stablehlo-opt %s --stablehlo-refine-shapes | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(cse,stablehlo-refine-shapes,symbol-dce)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: check.expect_eq %{{.*}}, %{{.*}} : tensor<4xf32>
// CHECK-NEXT: check.expect_eq_const %{{.*}}, dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f32>>
// CHECK-NOT: custom_call
func.func @main(%operand: tensor<4xf32>, %complex: tensor<complex<f32>>) {
  %0 = stablehlo.abs %operand : (tensor<4xf32>) -> tensor<?xf32>
  %1 = stablehlo.convert %0 : (tensor<?xf32>) -> tensor<?xf32>
  check.expect_eq %0, %1 : tensor<?xf32>
  check.expect_eq_const %complex, dense<(1.0, 2.0)> : tensor<complex<f32>>
  return
}
