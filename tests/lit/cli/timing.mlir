// REQUIRES: python-passes
// RUN: stablehlo-opt %s --cse --stablehlo-aggressive-folder --mlir-timing -o /dev/null 2>&1 | FileCheck %s

// CHECK: Execution time report
// CHECK: CSE
// CHECK: AggressiveFolder
// CHECK: Total
func.func @main() {
  return
}
