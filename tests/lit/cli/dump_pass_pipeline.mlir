// RUN: stablehlo-opt %s --cse --chlo-legalize-to-stablehlo --dump-pass-pipeline --mlir-disable-threading 2>&1 | FileCheck %s

// CHECK: Pass Manager with 2 passes:
// CHECK-NEXT: builtin.module(cse,chlo-expand-scan,func.func(chlo-legalize-to-stablehlo))
// CHECK: func.func @main
func.func @main() {
  return
}
