// RUN: not stablehlo-opt %s --cse --stablehlo-legalize-to-vhlo --mlir-print-ir-after-failure 2>&1 | FileCheck %s

// CHECK-NOT: IR Dump After{{.*}}cse
// CHECK: IR Dump After{{.*}}StablehloLegalizeToVhloPass Failed
func.func @main(%operand: i32) -> i32 {
  %0 = arith.addi %operand, %operand : i32
  return %0 : i32
}
