// RUN: stablehlo-opt %s --split-input-file='//+''++++' --output-split-marker='// next' 2>&1 | FileCheck %s
// RUN: stablehlo-opt %s --split-input-file='//+''++++' --output-split-marker= | FileCheck --check-prefix=NONE %s

// CHECK: split_marker.mlir:[[# @LINE + 13]]:1: warning: near miss with file split marker
// CHECK: func.func @first
// CHECK: // next
// CHECK-NOT: // next
// CHECK: func.func @first
// NONE-NOT: // next
func.func @first() {
  return
}
//+++++
func.func @first() {
  return
}
//+++--
