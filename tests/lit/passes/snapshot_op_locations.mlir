// Prints the IR to a file and makes places in it the locations of ops.
// RUN: stablehlo-opt %s --snapshot-op-locations=filename=%t --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(snapshot-op-locations{filename=%t})' --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: FileCheck --check-prefix=FILE %s < %t

// CHECK: return loc("{{.*}}snapshot_op_locations.mlir.tmp":3:4)
// FILE: {{^module}}
// FILE-NEXT: {{^  func.func @main}}
// FILE-NEXT: {{^    return}}
func.func @main() {
  return
}
