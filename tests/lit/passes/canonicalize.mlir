// Folds ops and applies every dialect's canonicalization patterns.
// RUN: stablehlo-opt %s --canonicalize | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s

// CHECK-LABEL: func.func @sum
// CHECK-SAME: %{{.*}}: i32) -> i32
// CHECK-NEXT: %{{.*}} = arith.constant 5 : i32
// CHECK-NEXT: %{{.*}} = arith.addi %{{.*}}, %{{.*}} : i32
// CHECK-NEXT: return %{{.*}} : i32
func.func @sum(%operand: i32) -> i32 {
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %five = arith.addi %two, %three : i32
  %result = arith.addi %five, %operand : i32
  return %result : i32
}
