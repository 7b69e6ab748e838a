// Infers static shapes from those of @main's arguments.
// RUN: stablehlo-opt %s --stablehlo-refine-shapes | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(stablehlo-refine-shapes)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<7xf32>) -> tensor<14xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.convert %{{.*}} : tensor<7xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.concatenate %{{.*}}, %{{.*}}, dim = 0 : (tensor<7xf32>, tensor<7xf32>) -> tensor<14xf32>
// CHECK-NEXT: return %{{.*}} : tensor<14xf32>
func.func @main(%operand: tensor<7xf32>) -> tensor<?xf32> {
  %0 = stablehlo.convert %operand : (tensor<7xf32>) -> tensor<?xf32>
  %1 = stablehlo.concatenate %0, %0, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
