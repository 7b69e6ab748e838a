// Removes arguments, results and ops that nothing uses.
// RUN: stablehlo-opt %s --remove-dead-values | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(remove-dead-values)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: i32) -> i32
// CHECK-NEXT: %{{.*}} = call @first(%{{.*}}) : (i32) -> i32
// CHECK-NEXT: return %{{.*}} : i32
// CHECK-LABEL: func.func private @first
// CHECK-SAME: %{{.*}}: i32) -> i32
// CHECK-NEXT: return %{{.*}} : i32
func.func @main(%operand: i32) -> i32 {
  %0 = call @first(%operand, %operand) : (i32, i32) -> i32
  return %0 : i32
}
func.func private @first(%used: i32, %unused: i32) -> i32 {
  return %used : i32
}
