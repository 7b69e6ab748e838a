// Gives the arguments of @main the types of an option.
// RUN: stablehlo-opt %s --stablehlo-refine-arguments='types=tensor<7xf32>,!stablehlo.token' | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(stablehlo-refine-arguments{types=tensor<7xf32>,!stablehlo.token})' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<7xf32>, %{{.*}}: !stablehlo.token) -> tensor<?xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.constant dense<7> : tensor<1xi64>
// CHECK-NEXT: %{{.*}} = stablehlo.custom_call @stablehlo.shape_refinement_operand_wrapper(%{{.*}}, %{{.*}}) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<7xf32>, tensor<1xi64>) -> tensor<?xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.negate %{{.*}} : tensor<?xf32>
// CHECK-NEXT: return %{{.*}} : tensor<?xf32>
func.func @main(%operand: tensor<?xf32>, %token: !stablehlo.token) -> tensor<?xf32> {
  %0 = stablehlo.negate %operand : tensor<?xf32>
  return %0 : tensor<?xf32>
}
