// Splits memory slots of aggregates into slots of their elements.
// RUN: stablehlo-opt %s --sroa | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(sroa)' | FileCheck %s

// CHECK-LABEL: func.func @pair
// CHECK-SAME: %{{.*}}: i32) -> i32
// CHECK-NEXT: %{{.*}} = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT: %{{.*}} = llvm.alloca %{{.*}} x i32 : (i32) -> !llvm.ptr
// CHECK-NEXT: llvm.store %{{.*}}, %{{.*}} : i32, !llvm.ptr
// CHECK-NEXT: %{{.*}} = llvm.load %{{.*}} : !llvm.ptr -> i32
// CHECK-NEXT: return %{{.*}} : i32
func.func @pair(%value: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %slots = llvm.alloca %one x !llvm.struct<(i32, f32)> : (i32) -> !llvm.ptr
  %first = llvm.getelementptr %slots[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, f32)>
  llvm.store %value, %first : i32, !llvm.ptr
  %result = llvm.load %first : !llvm.ptr -> i32
  return %result : i32
}
