// Makes symbols private.
// RUN: stablehlo-opt %s --symbol-privatize=exclude=main | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(symbol-privatize{exclude=main})' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: )
// CHECK-NEXT: return
// CHECK-LABEL: func.func private @helper
// CHECK-SAME: )
// CHECK-NEXT: return
func.func @main() {
  return
}
func.func @helper() {
  return
}
