// Tests making implicit broadcasts explicit.
// REQUIRES: pass-mhlo-test-materialize-broadcasts
// RUN: stablehlo-opt %s --mhlo-test-materialize-broadcasts | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(mhlo-test-materialize-broadcasts))' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<f32>, %{{.*}}: tensor<4xf32>, %{{.*}}: tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: %{{.*}} = "mhlo.broadcast"(%{{.*}}) <{broadcast_sizes = dense<4> : tensor<1xi64>}> : (tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: %{{.*}} = "mhlo.broadcast"(%{{.*}}) <{broadcast_sizes = dense<4> : tensor<1xi64>}> : (tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: %{{.*}} = mhlo.clamp %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xf32>
// CHECK-NEXT: return %{{.*}} : tensor<4xf32>
func.func @main(%low: tensor<f32>, %operand: tensor<4xf32>, %high: tensor<f32>) -> tensor<4xf32> {
  %0 = mhlo.clamp %low, %operand, %high : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
