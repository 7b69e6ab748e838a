// Turns signed and unsigned integer types into signless ones.
// RUN: stablehlo-opt %s --stablehlo-convert-to-signless | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(stablehlo-convert-to-signless)' | FileCheck %s

// CHECK-LABEL: func.func @sum
// CHECK-SAME: %{{.*}}: tensor<4xi8>, %{{.*}}: tensor<4xi8>) -> tensor<4xi8>
// CHECK-NEXT: %{{.*}} = stablehlo.add %{{.*}}, %{{.*}} : tensor<4xi8>
// CHECK-NEXT: return %{{.*}} : tensor<4xi8>
func.func @sum(%lhs: tensor<4xui8>, %rhs: tensor<4xui8>) -> tensor<4xui8> {
  %result = stablehlo.add %lhs, %rhs : tensor<4xui8>
  return %result : tensor<4xui8>
}
