// Adds checks at run time to ops that know how. The jaxlib provider registers no op that does, so nothing changes there.
// REQUIRES: option-verbose-level
// RUN: stablehlo-opt %s --generate-runtime-verification | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(generate-runtime-verification{verbose-level=0})' | FileCheck %s

// CHECK-LABEL: func.func @element
// CHECK: memref.load
func.func @element(%operand: memref<?xf32>, %index: index) -> f32 {
  %0 = memref.load %operand[%index] : memref<?xf32>
  return %0 : f32
}
