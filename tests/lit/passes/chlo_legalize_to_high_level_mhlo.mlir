// Turns CHLO ops into the MHLO ops that exist for them.
// REQUIRES: option-enable-cosh
// RUN: stablehlo-opt %s --chlo-legalize-to-high-level-mhlo=enable-cosh=true | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(chlo-legalize-to-high-level-mhlo{enable-cosh=true}))' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<f32>) -> (tensor<f32>, tensor<f32>)
// CHECK-NEXT: %{{.*}} = mhlo.erf %{{.*}} : tensor<f32>
// CHECK-NEXT: %{{.*}} = mhlo.cosh %{{.*}} : tensor<f32>
// CHECK-NEXT: return %{{.*}}, %{{.*}} : tensor<f32>, tensor<f32>
func.func @main(%operand: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = chlo.erf %operand : tensor<f32> -> tensor<f32>
  %1 = chlo.cosh %operand : tensor<f32> -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
