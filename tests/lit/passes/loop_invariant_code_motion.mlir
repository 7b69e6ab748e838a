// Moves ops out of loops in which they always compute the same.
// RUN: stablehlo-opt %s --loop-invariant-code-motion | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(loop-invariant-code-motion)' | FileCheck %s

// CHECK-LABEL: func.func @loop
// CHECK-SAME: %{{.*}}: index, %{{.*}}: i32) -> i32
// CHECK-NEXT: %{{.*}} = arith.constant 0 : index
// CHECK-NEXT: %{{.*}} = arith.constant 1 : index
// CHECK-NEXT: %{{.*}} = arith.muli %{{.*}}, %{{.*}} : i32
// CHECK-NEXT: %{{.*}} = scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (i32) {
// CHECK-NEXT: %{{.*}} = arith.addi %{{.*}}, %{{.*}} : i32
// CHECK-NEXT: scf.yield %{{.*}} : i32
// CHECK: return %{{.*}} : i32
func.func @loop(%count: index, %operand: i32) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %result = scf.for %i = %zero to %count step %one iter_args(%sum = %operand) -> i32 {
    %square = arith.muli %operand, %operand : i32
    %next = arith.addi %sum, %square : i32
    scf.yield %next : i32
  }
  return %result : i32
}
