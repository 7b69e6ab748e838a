// One dash or two, a value behind `=` or in the next argument.
// RUN: stablehlo-opt -mlir-print-op-generic -cse %s | FileCheck %s
// RUN: stablehlo-opt --mlir-print-op-generic=true --cse %s | FileCheck %s
// RUN: stablehlo-opt --mlir-print-op-generic=1 --pass-pipeline 'builtin.module(cse)' %s | FileCheck %s
// RUN: stablehlo-opt --mlir-print-op-generic=false --cse %s | FileCheck --check-prefix=PRETTY %s

// CHECK: "stablehlo.abs"(%{{.*}}) : (tensor<2xf64>) -> tensor<2xf64>
// CHECK-NOT: "stablehlo.abs"
// PRETTY: stablehlo.abs %{{.*}} : tensor<2xf64>
// PRETTY-NOT: stablehlo.abs
func.func @twice_the_same(%operand: tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>) {
  %first = stablehlo.abs %operand : tensor<2xf64>
  %second = stablehlo.abs %operand : tensor<2xf64>
  return %first, %second : tensor<2xf64>, tensor<2xf64>
}
