// Moves casts of memory spaces behind the ops that use them.
// REQUIRES: pass-bubble-down-memory-space-casts
// RUN: stablehlo-opt %s --bubble-down-memory-space-casts | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(bubble-down-memory-space-casts)' | FileCheck %s

// CHECK-LABEL: func.func @read
// CHECK-SAME: %{{.*}}: memref<4xf32, 3>, %{{.*}}: index) -> f32
// CHECK-NEXT: %{{.*}} = memref.load %{{.*}}[%{{.*}}] : memref<4xf32, 3>
// CHECK-NEXT: return %{{.*}} : f32
func.func @read(%memory: memref<4xf32, 3>, %index: index) -> f32 {
  %generic = memref.memory_space_cast %memory : memref<4xf32, 3> to memref<4xf32>
  %value = memref.load %generic[%index] : memref<4xf32>
  return %value : f32
}
