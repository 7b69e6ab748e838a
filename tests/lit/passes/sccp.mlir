// Propagates constants through branches and calls.
// RUN: stablehlo-opt %s --sccp | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(sccp)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: ) -> i32
// CHECK-NEXT: %{{.*}} = arith.constant 1 : i32
// CHECK-NEXT: %{{.*}} = arith.constant true
// CHECK-NEXT: cf.cond_br %{{.*}}, ^bb1, ^bb2
// CHECK: cf.br ^bb3(%{{.*}} : i32)
// CHECK: %{{.*}} = arith.constant 2 : i32
// CHECK-NEXT: cf.br ^bb3(%{{.*}} : i32)
// CHECK: return %{{.*}} : i32
func.func @main() -> i32 {
  %true = arith.constant true
  %one = arith.constant 1 : i32
  cf.cond_br %true, ^then, ^else
^then:
  cf.br ^end(%one : i32)
^else:
  %two = arith.constant 2 : i32
  cf.br ^end(%two : i32)
^end(%result: i32):
  return %result : i32
}
