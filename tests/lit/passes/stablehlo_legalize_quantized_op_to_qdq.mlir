// Splits an op on quantized types into dequantize, op, quantize.
// RUN: stablehlo-opt %s --stablehlo-legalize-quantized-op-to-qdq | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(stablehlo-legalize-quantized-op-to-qdq))' | FileCheck %s

// CHECK-LABEL: func.func @sum
// CHECK-SAME: %{{.*}}: tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>, %{{.*}}: tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>
// CHECK-NEXT: %{{.*}} = stablehlo.uniform_dequantize %{{.*}} : (tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<4xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.uniform_dequantize %{{.*}} : (tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<4xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.add %{{.*}}, %{{.*}} : tensor<4xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.uniform_quantize %{{.*}} : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>
// CHECK-NEXT: return %{{.*}} : tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>
func.func @sum(%lhs: tensor<4x!quant.uniform<i8:f32, 0.5>>, %rhs: tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>> {
  %0 = stablehlo.add %lhs, %rhs : tensor<4x!quant.uniform<i8:f32, 0.5>>
  return %0 : tensor<4x!quant.uniform<i8:f32, 0.5>>
}
