// REQUIRES: stablehlo-1.7
// RUN: stablehlo-translate --serialize --target=1.7.0 %s | stablehlo-compat info - | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=1.6.0 %s 2>&1 | FileCheck --check-prefix=EARLY %s

// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: the element type f8E3M4.

// CHECK: StableHLO version: 1.7.0
// EARLY: error: the element type f8E3M4 needs StableHLO 1.7.0, and the target is 1.6.0

func.func @main(%operand: tensor<2xf8E3M4>) -> tensor<2xf8E3M4> {
  return %operand : tensor<2xf8E3M4>
}
