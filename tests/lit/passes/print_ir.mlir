// Prints the IR to standard error.
// RUN: stablehlo-opt %s --print-ir=label=here -o /dev/null 2>&1 | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(print-ir{label=here})' -o /dev/null 2>&1 | FileCheck %s

// CHECK: IR Dump here
// CHECK: func.func @main
func.func @main() {
  return
}
