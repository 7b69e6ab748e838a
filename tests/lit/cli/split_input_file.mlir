// Lines are counted from the top of the file, whatever the chunk.
// RUN: not stablehlo-opt %s --split-input-file 2>&1 | FileCheck %s
// RUN: not stablehlo-opt --split-input-file < %s 2>&1 | FileCheck %s

// CHECK: {{split_input_file.mlir|<stdin>}}:[[# @LINE + 8]]:3: error: 'func.return' op has 0 operands
// CHECK-NEXT: {{^}}  return
// CHECK-NEXT: ^
// CHECK: {{split_input_file.mlir|<stdin>}}:[[# @LINE + 12]]:31: error: use of undeclared SSA value name
// CHECK-NEXT: func.call @second(%operand, %absent)
// CHECK-NEXT: {{^                              \^}}

func.func @first() -> tensor<i32> {
  return
}

// -----

func.func private @second(tensor<i32>, tensor<i32>)
func.func @third(%operand: tensor<i32>) {
  func.call @second(%operand, %absent) : (tensor<i32>, tensor<i32>) -> ()
  return
}
