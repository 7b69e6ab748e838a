// Replaces mhlo.map of elementwise ops by these ops.
// REQUIRES: pass-mhlo-collapse-elementwise-map
// RUN: stablehlo-opt %s --mhlo-collapse-elementwise-map | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(mhlo-collapse-elementwise-map))' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %{{.*}} = mhlo.add %{{.*}}, %{{.*}} : tensor<4xf32>
// CHECK-NEXT: %{{.*}} = mhlo.negate %{{.*}} : tensor<4xf32>
// CHECK-NEXT: return %{{.*}} : tensor<4xf32>
func.func @main(%lhs: tensor<4xf32>, %rhs: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "mhlo.map"(%lhs, %rhs) ({
  ^bb0(%left: tensor<f32>, %right: tensor<f32>):
    %1 = mhlo.add %left, %right : tensor<f32>
    %2 = mhlo.negate %1 : tensor<f32>
    mhlo.return %2 : tensor<f32>
  }) {dimensions = dense<0> : tensor<1xi64>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
