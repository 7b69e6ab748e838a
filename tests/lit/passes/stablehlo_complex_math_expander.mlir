// Expands complex functions into real ones.
// RUN: stablehlo-opt %s --stablehlo-complex-math-expander | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(stablehlo-complex-math-expander))' | FileCheck %s

// CHECK-LABEL: func.func @logarithm
// CHECK: %{{.*}} = stablehlo.real %{{.*}} : (tensor<complex<f32>>) -> tensor<f32>
// CHECK: %{{.*}} = stablehlo.imag %{{.*}} : (tensor<complex<f32>>) -> tensor<f32>
// CHECK: %{{.*}} = stablehlo.atan2 %{{.*}}, %{{.*}} : tensor<f32>
// CHECK: %{{.*}} = stablehlo.complex %{{.*}}, %{{.*}} : tensor<complex<f32>>
func.func @logarithm(%operand: tensor<complex<f32>>) -> tensor<complex<f32>> {
  %result = stablehlo.log_plus_one %operand : tensor<complex<f32>>
  return %result : tensor<complex<f32>>
}
