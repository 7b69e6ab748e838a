// REQUIRES: stablehlo-1.13
// RUN: stablehlo-translate --serialize --target=1.13.0 %s | stablehlo-compat info - | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=1.12.0 %s 2>&1 | FileCheck --check-prefix=EARLY %s

// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: a buffer (memref).

// CHECK: StableHLO version: 1.13.0
// EARLY: error: a buffer (memref) needs StableHLO 1.13.0, and the target is 1.12.0

func.func @main(%input: tensor<2xf32>) -> tensor<2xf32> {
  %buffer = stablehlo.custom_call @Pin(%input) : (tensor<2xf32>) -> memref<2xf32>
  %result = stablehlo.custom_call @Unpin(%buffer) : (memref<2xf32>) -> tensor<2xf32>
  return %result : tensor<2xf32>
}
