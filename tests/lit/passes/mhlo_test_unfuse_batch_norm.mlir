// Tests splitting batch norms into simpler ops.
// REQUIRES: pass-mhlo-test-unfuse-batch-norm
// RUN: stablehlo-opt %s --mhlo-test-unfuse-batch-norm | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(mhlo-test-unfuse-batch-norm))' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<4x2xf32>, %{{.*}}: tensor<2xf32>, %{{.*}}: tensor<2xf32>, %{{.*}}: tensor<2xf32>, %{{.*}}: tensor<2xf32>) -> tensor<4x2xf32>
// CHECK-NEXT: %{{.*}} = mhlo.constant dense<1.000000e-03> : tensor<2xf32>
// CHECK-NEXT: %{{.*}} = mhlo.add %{{.*}}, %{{.*}} : tensor<2xf32>
// CHECK-NEXT: %{{.*}} = mhlo.sqrt %{{.*}} : tensor<2xf32>
// CHECK-NEXT: %{{.*}} = "mhlo.broadcast_in_dim"(%{{.*}}) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<2xf32>) -> tensor<4x2xf32>
// CHECK-NEXT: %{{.*}} = "mhlo.broadcast_in_dim"(%{{.*}}) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<2xf32>) -> tensor<4x2xf32>
// CHECK-NEXT: %{{.*}} = "mhlo.broadcast_in_dim"(%{{.*}}) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<2xf32>) -> tensor<4x2xf32>
// CHECK-NEXT: %{{.*}} = "mhlo.broadcast_in_dim"(%{{.*}}) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<2xf32>) -> tensor<4x2xf32>
// CHECK-NEXT: %{{.*}} = mhlo.subtract %{{.*}}, %{{.*}} : tensor<4x2xf32>
// CHECK-NEXT: %{{.*}} = mhlo.multiply %{{.*}}, %{{.*}} : tensor<4x2xf32>
// CHECK-NEXT: %{{.*}} = mhlo.divide %{{.*}}, %{{.*}} : tensor<4x2xf32>
// CHECK-NEXT: %{{.*}} = mhlo.add %{{.*}}, %{{.*}} : tensor<4x2xf32>
// CHECK-NEXT: return %{{.*}} : tensor<4x2xf32>
func.func @main(%operand: tensor<4x2xf32>, %scale: tensor<2xf32>, %offset: tensor<2xf32>, %mean: tensor<2xf32>, %variance: tensor<2xf32>) -> tensor<4x2xf32> {
  %0 = "mhlo.batch_norm_inference"(%operand, %scale, %offset, %mean, %variance) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
