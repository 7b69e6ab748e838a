// REQUIRES: stablehlo-1.8
// RUN: stablehlo-translate --serialize --target=1.8.0 %s | stablehlo-compat info - | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=1.7.0 %s 2>&1 | FileCheck --check-prefix=EARLY %s

// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: the element type f6E2M3FN.

// CHECK: StableHLO version: 1.8.0
// EARLY: error: the element type f6E2M3FN needs StableHLO 1.8.0, and the target is 1.7.0

func.func @main(%operand: tensor<2xf6E2M3FN>) -> tensor<2xf6E2M3FN> {
  return %operand : tensor<2xf6E2M3FN>
}
