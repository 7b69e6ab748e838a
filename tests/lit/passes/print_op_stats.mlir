// Prints to standard error how many ops of each kind there are.
// RUN: stablehlo-opt %s --print-op-stats -o /dev/null 2>&1 | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(print-op-stats)' -o /dev/null 2>&1 | FileCheck %s
// RUN: stablehlo-opt %s --print-op-stats=json=true -o /dev/null 2>&1 | FileCheck --check-prefix=JSON %s

// CHECK: Operations encountered
// CHECK: func.return {{.*}}1
// CHECK: stablehlo.sine {{.*}}2
// JSON: "func.return" : 1,
// JSON: "stablehlo.sine" : 2
func.func @main(%operand: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.sine %operand : tensor<f32>
  %1 = stablehlo.sine %0 : tensor<f32>
  return %1 : tensor<f32>
}
