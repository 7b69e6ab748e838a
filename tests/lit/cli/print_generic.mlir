// RUN: stablehlo-opt %s --mlir-print-op-generic | FileCheck %s

// CHECK: "stablehlo.add"(%{{.*}}, %{{.*}}) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
func.func @double(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %twice = stablehlo.add %operand, %operand : tensor<2xf32>
  return %twice : tensor<2xf32>
}
