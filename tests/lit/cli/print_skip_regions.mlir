// RUN: stablehlo-opt %s --mlir-print-skip-regions | FileCheck %s

// CHECK: module @garden
// CHECK-NOT: func.func
module @garden {
  func.func @shed() {
    return
  }
}
