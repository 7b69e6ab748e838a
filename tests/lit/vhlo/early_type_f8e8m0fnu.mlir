// REQUIRES: stablehlo-1.8
// RUN: stablehlo-translate --serialize --target=1.8.0 %s | stablehlo-compat info - | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=1.7.0 %s 2>&1 | FileCheck --check-prefix=EARLY %s

// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: the element type f8E8M0FNU.

// CHECK: StableHLO version: 1.8.0
// EARLY: error: the element type f8E8M0FNU needs StableHLO 1.8.0, and the target is 1.7.0

func.func @main(%operand: tensor<2xf8E8M0FNU>) -> tensor<2xf8E8M0FNU> {
  return %operand : tensor<2xf8E8M0FNU>
}
