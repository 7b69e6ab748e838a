// Moves ops into the branch that alone uses them.
// RUN: stablehlo-opt %s --control-flow-sink | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(control-flow-sink)' | FileCheck %s

// CHECK-LABEL: func.func @choose
// CHECK-SAME: %{{.*}}: i1, %{{.*}}: i32) -> i32
// CHECK-NEXT: %{{.*}} = scf.if %{{.*}} -> (i32) {
// CHECK-NEXT: %{{.*}} = arith.addi %{{.*}}, %{{.*}} : i32
// CHECK-NEXT: scf.yield %{{.*}} : i32
// CHECK: scf.yield %{{.*}} : i32
// CHECK: return %{{.*}} : i32
func.func @choose(%condition: i1, %operand: i32) -> i32 {
  %doubled = arith.addi %operand, %operand : i32
  %result = scf.if %condition -> i32 {
    scf.yield %doubled : i32
  } else {
    scf.yield %operand : i32
  }
  return %result : i32
}
