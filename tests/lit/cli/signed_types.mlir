// RUN: not stablehlo-opt %s 2>&1 | FileCheck %s

// CHECK: but got 'tensor<2xsi64>'
// CHECK: note: did you mean i64?
func.func @main(%operand: tensor<2xsi64>) -> tensor<2xsi64> {
  %result = "stablehlo.add"(%operand, %operand) : (tensor<2xsi64>, tensor<2xsi64>) -> tensor<2xsi64>
  return %result : tensor<2xsi64>
}
