// Ops are expressed by others, all that have a decomposition or those that are named.
// RUN: stablehlo-opt %s --stablehlo-decompose | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(stablehlo-decompose{ops=stablehlo.batch_norm_inference})' | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-decompose=ops=stablehlo.clamp | FileCheck --check-prefix=OTHER %s

// CHECK-LABEL: func.func @normalized
// CHECK-NOT: batch_norm_inference
// CHECK: stablehlo.constant dense<5.000000e-01>
// CHECK: stablehlo.sqrt
// CHECK: stablehlo.subtract
// CHECK: stablehlo.divide
// CHECK: stablehlo.multiply
// CHECK: stablehlo.add
// OTHER: batch_norm_inference
func.func @normalized(%operand: tensor<4x2xf32>, %scale: tensor<2xf32>, %offset: tensor<2xf32>, %mean: tensor<2xf32>, %variance: tensor<2xf32>) -> tensor<4x2xf32> {
  %0 = "stablehlo.batch_norm_inference"(%operand, %scale, %offset, %mean, %variance) {epsilon = 0.5 : f32, feature_index = 1 : i64}
    : (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
