// Removes private symbols that nothing refers to.
// RUN: stablehlo-opt %s --symbol-dce | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(symbol-dce)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: )
// CHECK-NEXT: call @used() : () -> ()
// CHECK-NEXT: return
// CHECK-LABEL: func.func private @used
// CHECK-SAME: )
// CHECK-NEXT: return
func.func @main() {
  call @used() : () -> ()
  return
}
func.func private @used() {
  return
}
func.func private @unused() {
  return
}
