// RUN: stablehlo bisect-passes %s --pass-pipeline='builtin.module(canonicalize,cse)' --engine=reference --tolerance=1ulp --show | FileCheck %s
// RUN: stablehlo bisect-passes %s --xla --json | FileCheck %s --check-prefix=JSON
// RUN: not stablehlo bisect-passes %s 2>&1 | FileCheck %s --check-prefix=NEITHER
// CHECK: no pass is to blame: the results are right after all of them
// JSON: null
// NEITHER: error: one of --pass-pipeline and --xla is needed
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.multiply %x, %y : tensor<4xf32>
  %1 = stablehlo.sine %0 : tensor<4xf32>
  %2 = stablehlo.negate %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
