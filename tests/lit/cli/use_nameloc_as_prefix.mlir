// RUN: stablehlo-opt %s --mlir-use-nameloc-as-prefix | FileCheck %s

// CHECK: %weight = stablehlo.floor %{{.*}} : tensor<f32>
// CHECK: return %weight
func.func @named(%operand: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.floor %operand : tensor<f32> loc("weight")
  return %0 : tensor<f32>
}
