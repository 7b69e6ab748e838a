// REQUIRES: stablehlo-1.20
// RUN: not stablehlo-translate --interpret %s 2>&1 | FileCheck %s

// CHECK: error: 'stablehlo.collective_broadcast' op names root 2 of a group of 2 processes
func.func @program(%operand: tensor<f32>, %root: tensor<1xi32>) -> tensor<f32> {
  %result = "stablehlo.collective_broadcast"(%operand, %root) <{
    has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
  }> : (tensor<f32>, tensor<1xi32>) -> tensor<f32>
  return %result : tensor<f32>
}
func.func @main() {
  %value = stablehlo.constant dense<1.5> : tensor<f32>
  %root = stablehlo.constant dense<[2]> : tensor<1xi32>
  %results:2 = "interpreter.run_parallel"(%value, %root, %value, %root) {
    programs = [[@program], [@program]]
  } : (tensor<f32>, tensor<1xi32>, tensor<f32>, tensor<1xi32>) -> (tensor<f32>, tensor<f32>)
  return
}
