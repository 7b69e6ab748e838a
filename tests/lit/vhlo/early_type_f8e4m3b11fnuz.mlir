// REQUIRES: stablehlo-0.11
// RUN: stablehlo-translate --serialize --target=0.11.0 %s | stablehlo-compat info - | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=0.10.0 %s 2>&1 | FileCheck --check-prefix=EARLY %s

// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: the element type f8E4M3B11FNUZ.

// CHECK: StableHLO version: 0.11.0
// EARLY: error: the element type f8E4M3B11FNUZ needs StableHLO 0.11.0, and the target is 0.10.0

func.func @main(%operand: tensor<2xf8E4M3B11FNUZ>) -> tensor<2xf8E4M3B11FNUZ> {
  return %operand : tensor<2xf8E4M3B11FNUZ>
}
