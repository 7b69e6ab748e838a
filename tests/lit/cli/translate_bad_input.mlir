// RUN: not stablehlo-translate %s 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: not stablehlo-translate --interpert %s 2>&1 | FileCheck --check-prefix=SPELLING %s
// RUN: not stablehlo-translate --interpret %s.missing 2>&1 | FileCheck --check-prefix=MISSING %s
// RUN: not stablehlo-translate --interpret %s --function=nobody 2>&1 | FileCheck --check-prefix=FUNCTION %s
// RUN: not stablehlo-translate --interpret %s --args=rubbish 2>&1 | FileCheck --check-prefix=ARGS %s
// RUN: not stablehlo-translate --interpret %s --args='[4.0 : f32]' 2>&1 | FileCheck --check-prefix=NOT_DENSE %s
// RUN: not stablehlo-translate --interpret %s --args='[dense<1.0> : tensor<2xf32>]' 2>&1 | FileCheck --check-prefix=TYPE %s
// RUN: printf 'func.func @main() {\n  %%%%0 = stablehlo.add\n}' | not stablehlo-translate --interpret 2>&1 | FileCheck --check-prefix=SYNTAX %s
// RUN: printf '\x4d\x4c\xef\x52rubbish' | not stablehlo-translate --interpret 2>&1 | FileCheck --check-prefix=RUBBISH %s
// RUN: printf '\x00\x01\x02' | not stablehlo-translate --deserialize 2>&1 | FileCheck --check-prefix=RUBBISH %s
// RUN: not stablehlo-translate --interpret < /dev/null 2>&1 | FileCheck --check-prefix=EMPTY %s
// RUN: stablehlo-translate --interpret %s --args='[dense<1> : tensor<2xi32>]' | head -c 0
// RUN: not stablehlo-translate --interpret %s -o /nowhere/at/all 2>&1 | FileCheck --check-prefix=ARGUMENTS %s

// NONE: stablehlo-translate: error: one of --interpret, --serialize and --deserialize is needed
// SPELLING: stablehlo-translate: error: {{.*}}--interpert{{.*}}--interpret
// MISSING: {{.*}}.missing{{.*}}No such file or directory
// FUNCTION: error: function @nobody is not defined
// FUNCTION: note: the module defines @main
// ARGS: error: expectected array attribute string for args
// NOT_DENSE: error: expected dense elements attribute for args elements
// TYPE: translate_bad_input.mlir:[[# @LINE + 9]]:1: error: argument 0 of function @main is tensor<2xf32> instead of tensor<2xi32>
// TYPE-NEXT: func.func @main
// TYPE-NEXT: ^
// SYNTAX: <stdin>:2:21: error: expected SSA operand
// SYNTAX-NEXT: stablehlo.add
// SYNTAX-NEXT: ^
// EMPTY: <stdin>:1:1: error: input file is empty
// RUBBISH: error:
// ARGUMENTS: error: function @main takes 1 argument, not 0
func.func @main(%a: tensor<2xi32>) -> tensor<2xi32> {
  return %a : tensor<2xi32>
}
