// RUN: stablehlo-opt --validate-each=2 --canonicalize --cse %s | FileCheck %s
// RUN: stablehlo-opt --validate-each --validate-each-prefix=%t --canonicalize --cse %s | FileCheck %s
// RUN: stablehlo-opt --validate-each --canonicalize --cse %s 2>&1 >/dev/null | FileCheck --check-prefix=SAID %s
// RUN: not stablehlo-opt --validate-each=0 --cse %s 2>&1 | FileCheck --check-prefix=NUMBER %s

// CHECK-LABEL: @main
// CHECK-COUNT-1: stablehlo.add
// What changes nothing is not looked at.
// SAID-NOT: canonicalize
// SAID: remark: 'cse': the same function but for rounding
// NUMBER: error: flag --validate-each expects a number of inputs, found '0'
func.func @main(%operand: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %first = stablehlo.add %operand, %operand : tensor<2xi32>
  %second = stablehlo.add %operand, %operand : tensor<2xi32>
  return %first, %second : tensor<2xi32>, tensor<2xi32>
}
