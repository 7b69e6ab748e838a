// Fuses dequantize, op, quantize into an op on quantized types.
// RUN: stablehlo-opt %s --stablehlo-legalize-qdq-to-quantized-op | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(stablehlo-legalize-qdq-to-quantized-op))' | FileCheck %s

// CHECK-LABEL: func.func @abs
// CHECK-SAME: %{{.*}}: tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<4x!quant.uniform<i8:f32, 2.500000e-01>>
// CHECK-NEXT: %{{.*}} = stablehlo.abs %{{.*}} : (tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<4x!quant.uniform<i8:f32, 2.500000e-01>>
// CHECK-NEXT: return %{{.*}} : tensor<4x!quant.uniform<i8:f32, 2.500000e-01>>
func.func @abs(%operand: tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.25>> {
  %0 = stablehlo.uniform_dequantize %operand : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4xf32>
  %1 = stablehlo.abs %0 : tensor<4xf32>
  %2 = stablehlo.uniform_quantize %1 : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.25>>
  return %2 : tensor<4x!quant.uniform<i8:f32, 0.25>>
}
