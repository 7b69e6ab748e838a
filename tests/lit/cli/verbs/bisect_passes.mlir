// RUN: stablehlo bisect-passes %s --pass-pipeline='builtin.module(canonicalize,cse)' --engine=reference --tolerance=1ulp --show | FileCheck %s
// RUN: stablehlo bisect-passes %s --xla --json | FileCheck %s --check-prefix=JSON
// RUN: not stablehlo bisect-passes %s 2>&1 | FileCheck %s --check-prefix=NEITHER
// RUN: not stablehlo bisect-passes %s --pass-pipeline=canonicalise 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not stablehlo bisect-passes %S/../Inputs/division.mlir --xla --tolerance=0.1ulp --show | FileCheck %s --check-prefix=HLO
// CHECK: no pass is to blame: the results are right after all of them
// JSON: null
// UNKNOWN: error: 'canonicalise' does not refer to a registered pass or pass pipeline; did you mean canonicalize?
// HLO: algsimp: changes results: result 0 is 1 ULP apart
// HLO: programs run
// HLO: // before
// HLO: divide(
// HLO: // after
// HLO-NOT: divide(
// HLO: multiply(
// NEITHER: error: one of --pass-pipeline and --xla is needed
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.multiply %x, %y : tensor<4xf32>
  %1 = stablehlo.sine %0 : tensor<4xf32>
  %2 = stablehlo.negate %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
