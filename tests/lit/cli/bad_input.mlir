// RUN: not stablehlo-opt %s 2>&1 | FileCheck --check-prefix=VERIFIER %s
// RUN: printf 'func.func @f( {\n' | not stablehlo-opt 2>&1 | FileCheck --check-prefix=SYNTAX %s
// RUN: not stablehlo-opt %t.missing 2>&1 | FileCheck --check-prefix=MISSING %s
// RUN: not stablehlo-opt %S 2>&1 | FileCheck --check-prefix=FOLDER %s
// RUN: printf '\000\001\377\002' | not stablehlo-opt 2>&1 | FileCheck --check-prefix=RUBBISH %s
// RUN: printf 'ML\357R\015x' | not stablehlo-opt 2>&1 | FileCheck --check-prefix=BYTECODE %s
// RUN: echo 'func.func private @f()' | not stablehlo-opt -o /absent/folder/file 2>&1 | FileCheck --check-prefix=OUTPUT %s

// VERIFIER: bad_input.mlir:[[# @LINE + 13]]:8: error: 'stablehlo.add' op requires the same shape for all operands and results
// VERIFIER-NEXT: {{^}}  %0 = "stablehlo.add"
// VERIFIER-NEXT: {{^}}       ^
// VERIFIER-NEXT: bad_input.mlir:[[# @LINE + 10]]:8: note: see current operation
// SYNTAX: <stdin>:1:14: error:
// SYNTAX-NEXT: func.func @f( {
// SYNTAX-NEXT: {{^             \^}}
// MISSING: error: cannot open input file '{{.*}}missing': No such file or directory
// FOLDER: error: cannot open input file {{.*}}: Is a directory
// RUBBISH: <stdin>:1:1: error: this is binary data, not a program
// BYTECODE: <stdin>: error:
// OUTPUT: error: cannot open output file '/absent/folder/file': No such file or directory
func.func @f(%operand: tensor<2xf32>) {
  %0 = "stablehlo.add"(%operand, %operand) : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}
