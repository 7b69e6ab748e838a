// RUN: stablehlo-opt %s --strip-debuginfo --mlir-print-debuginfo | FileCheck %s

// CHECK: return loc(#[[UNKNOWN:.*]])
// CHECK-NOT: secret
// CHECK: #[[UNKNOWN]] = loc(unknown)
func.func @main() {
  return loc("secret")
}
