// RUN: stablehlo-opt %s --cse --verify-each=0 | FileCheck %s
// RUN: stablehlo-opt %s --cse --verify-each=1 | FileCheck %s
// RUN: stablehlo-opt %s --cse --verify-each=false --mlir-print-assume-verified | FileCheck %s

// CHECK: func.func @main
func.func @main() {
  return
}
