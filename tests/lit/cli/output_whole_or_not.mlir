// An output file is left as it was where the tool fails.
// RUN: echo before > %t
// RUN: not stablehlo-opt %s --split-input-file -o %t
// RUN: FileCheck %s < %t

// CHECK: before
// CHECK-NOT: func
func.func @sound() {
  return
}

// -----

func.func @broken() -> tensor<f32> {
  return
}
