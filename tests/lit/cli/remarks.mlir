// The optimization passes tell MLIR's remark engine what they change and what they keep.
// REQUIRES: remarks
// RUN: stablehlo-opt --stablehlo-target-independent-optimization --remarks-filter='stablehlo-.*' %s 2>&1 | FileCheck %s
// RUN: stablehlo-opt --stablehlo-target-independent-optimization --remarks-filter-passed='.*' --remark-policy=final %s 2>&1 | FileCheck %s
// RUN: stablehlo-opt --stablehlo-fold-constants --remarks-filter-passed='.*' --remarks-filter-failed='.*' --remarks-filter-analyse='.*' %s 2>&1 | FileCheck --check-prefix=FOLD %s
// RUN: stablehlo-opt --stablehlo-aggressive-folder=fold-op-element-limit=1 --remarks-filter-missed='.*' %s 2>&1 | FileCheck --check-prefix=MISSED %s
// RUN: stablehlo-opt --stablehlo-target-independent-optimization --remarks-filter='other' %s 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: stablehlo-opt --stablehlo-target-independent-optimization --remarks-filter='.*' --remark-format=yaml --remarks-output-file=%t.yaml %s
// RUN: FileCheck --check-prefix=YAML --input-file=%t.yaml %s
// RUN: not stablehlo-opt --cse --remarks-filter='(' %s 2>&1 | FileCheck --check-prefix=REGEX %s
// RUN: not stablehlo-opt --cse --remarks-filter=a --remark-format=bitstream --remarks-output-file=%t.no/file %s 2>&1 | FileCheck --check-prefix=FILE %s

// REGEX: error: '(' is not a regular expression
// FILE: error: failed to enable remarks: cannot write
// NONE-NOT: remark
func.func @main(%operand: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<2xf32>
  %known = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  // FOLD: remarks.mlir:[[# @LINE + 4]]:10: remark: [Passed] {{"?}}fold stablehlo.add{{"?}} | Category:stablehlo-fold-constants
  // MISSED: remarks.mlir:[[# @LINE + 3]]:10: remark: [Missed] {{"?}}keep stablehlo.add{{"?}} | Category:stablehlo-aggressive-folder
  // MISSED-SAME: more elements than the limit of 1
  // MISSED-NOT: Passed
  %sum = stablehlo.add %known, %known : tensor<2xf32>
  // CHECK: remarks.mlir:[[# @LINE + 3]]:17: remark: [Passed] subtract_zero | Category:stablehlo-target-independent-optimization
  // YAML: --- !Passed
  // YAML: Name:{{ *}}subtract_zero
  %difference = stablehlo.subtract %operand, %zero : tensor<2xf32>
  return %sum, %difference : tensor<2xf32>, tensor<2xf32>
}
