// REQUIRES: stablehlo-0.10
// RUN: stablehlo-translate --serialize --target=0.10.0 %s | stablehlo-compat info - | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=0.9.0 %s 2>&1 | FileCheck --check-prefix=EARLY %s

// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: the element type f8E5M2FNUZ.

// CHECK: StableHLO version: 0.10.0
// EARLY: error: the element type f8E5M2FNUZ needs StableHLO 0.10.0, and the target is 0.9.0

func.func @main(%operand: tensor<2xf8E5M2FNUZ>) -> tensor<2xf8E5M2FNUZ> {
  return %operand : tensor<2xf8E5M2FNUZ>
}
