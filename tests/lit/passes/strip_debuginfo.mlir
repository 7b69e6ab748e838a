// Replaces every location by an unknown one.
// RUN: stablehlo-opt %s --strip-debuginfo --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(strip-debuginfo)' --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// CHECK: func.func @main
// CHECK-NEXT: return loc(unknown)
func.func @main() {
  return loc("somewhere")
}
