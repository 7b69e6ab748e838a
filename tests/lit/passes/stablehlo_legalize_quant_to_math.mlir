// Computes ops on quantized types with integers.
// RUN: stablehlo-opt %s --stablehlo-legalize-quant-to-math | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(stablehlo-legalize-quant-to-math))' | FileCheck %s

// CHECK-LABEL: func.func @quantize
// CHECK-SAME: %{{.*}}: tensor<4xf32>) -> tensor<4xi8>
// CHECK-NEXT: %{{.*}} = stablehlo.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %{{.*}} = stablehlo.constant dense<3.000000e+00> : tensor<f32>
// CHECK-NEXT: %{{.*}} = stablehlo.constant dense<-1.280000e+02> : tensor<f32>
// CHECK-NEXT: %{{.*}} = stablehlo.constant dense<1.270000e+02> : tensor<f32>
// CHECK-NEXT: %{{.*}} = chlo.broadcast_divide %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: %{{.*}} = chlo.broadcast_add %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.clamp %{{.*}}, %{{.*}}, %{{.*}} : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.round_nearest_even %{{.*}} : tensor<4xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.convert %{{.*}} : (tensor<4xf32>) -> tensor<4xi8>
// CHECK-NEXT: return %{{.*}} : tensor<4xi8>
func.func @quantize(%operand: tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5:3>> {
  %0 = stablehlo.uniform_quantize %operand : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5:3>>
  return %0 : tensor<4x!quant.uniform<i8:f32, 0.5:3>>
}
