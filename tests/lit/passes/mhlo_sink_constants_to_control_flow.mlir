// Copies constants into the regions that use them.
// REQUIRES: pass-mhlo-sink-constants-to-control-flow
// RUN: stablehlo-opt %s --mhlo-sink-constants-to-control-flow | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(mhlo-sink-constants-to-control-flow))' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<i32>, %{{.*}}: tensor<i1>) -> tensor<i32>
// CHECK-NEXT: %{{.*}} = "mhlo.if"(%{{.*}}) ({
// CHECK-NEXT: %{{.*}} = mhlo.constant dense<7> : tensor<i32>
// CHECK-NEXT: %{{.*}} = mhlo.add %{{.*}}, %{{.*}} : tensor<i32>
// CHECK-NEXT: mhlo.return %{{.*}} : tensor<i32>
// CHECK: mhlo.return %{{.*}} : tensor<i32>
// CHECK-NEXT: }) : (tensor<i1>) -> tensor<i32>
// CHECK-NEXT: return %{{.*}} : tensor<i32>
func.func @main(%operand: tensor<i32>, %condition: tensor<i1>) -> tensor<i32> {
  %seven = mhlo.constant dense<7> : tensor<i32>
  %0 = "mhlo.if"(%condition) ({
    %1 = mhlo.add %seven, %operand : tensor<i32>
    mhlo.return %1 : tensor<i32>
  }, {
    mhlo.return %operand : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return %0 : tensor<i32>
}
