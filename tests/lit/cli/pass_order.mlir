// Passes run in the order of their flags: the constant is found only after the call is gone.
// RUN: stablehlo-opt %s --inline --canonicalize | FileCheck --check-prefix=AFTER %s
// RUN: stablehlo-opt %s --canonicalize --inline=default-pipeline= | FileCheck --check-prefix=BEFORE %s

// AFTER-LABEL: func.func @main
// AFTER-NOT: arith.addi
// AFTER: return %c5_i32
// BEFORE-LABEL: func.func @main
// BEFORE: arith.addi
func.func @main() -> i32 {
  %two = arith.constant 2 : i32
  %sum = call @add_three(%two) : (i32) -> i32
  return %sum : i32
}
func.func private @add_three(%operand: i32) -> i32 {
  %three = arith.constant 3 : i32
  %sum = arith.addi %operand, %three : i32
  return %sum : i32
}
