// Turns memory slots into SSA values.
// RUN: stablehlo-opt %s --mem2reg | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(mem2reg)' | FileCheck %s

// CHECK-LABEL: func.func @slot
// CHECK-SAME: %{{.*}}: i32) -> i32
// CHECK-NEXT: return %{{.*}} : i32
func.func @slot(%value: i32) -> i32 {
  %slot = memref.alloca() : memref<i32>
  memref.store %value, %slot[] : memref<i32>
  %result = memref.load %slot[] : memref<i32>
  return %result : i32
}
