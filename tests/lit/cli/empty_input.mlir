// An empty program is a program, as for MLIR's tools; other tools want one with something in it.
// RUN: stablehlo-opt /dev/null | FileCheck %s
// RUN: printf '' | stablehlo-opt --cse | FileCheck %s
// RUN: printf '// nothing but a comment\n' | stablehlo-opt - | FileCheck %s
// RUN: not stablehlo-translate --interpret /dev/null 2>&1 | FileCheck --check-prefix=TRANSLATE %s

// CHECK: module {
// CHECK-NEXT: }
// TRANSLATE: /dev/null:1:1: error: input file is empty
