// REQUIRES: pass-statistics, python-passes
// RUN: stablehlo-opt %s --stablehlo-aggressive-simplification --stablehlo-aggressive-folder --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-aggressive-simplification --stablehlo-aggressive-folder --mlir-pass-statistics --mlir-pass-statistics-display=list -o /dev/null 2>&1 | FileCheck --check-prefix=LIST %s
// RUN: stablehlo-opt %s -cse --mlir-timing --mlir-timing-display=list --mlir-output-format=text -o /dev/null 2>&1 | FileCheck --check-prefix=TIME %s

// CHECK: Pass statistics report: passes in Python
// CHECK: stablehlo-aggressive-simplification
// CHECK-NEXT: (S) {{[0-9]}} ops-before - Number of ops that the pass ran on
// CHECK-NEXT: (S) {{[0-9]}} ops-after - Number of ops behind the pass
// CHECK: stablehlo-aggressive-folder
// CHECK: (S) 1 ops-folded - Number of ops folded into constants
// LIST: stablehlo-aggressive-folder
// LIST: stablehlo-aggressive-simplification
// TIME: Execution time report
func.func @main() -> tensor<f32> {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  %1 = stablehlo.add %0, %0 : tensor<f32>
  return %1 : tensor<f32>
}
