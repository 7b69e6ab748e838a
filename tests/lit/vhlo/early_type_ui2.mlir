// REQUIRES: stablehlo-1.2
// RUN: stablehlo-translate --serialize --target=1.2.0 %s | stablehlo-compat info - | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=1.1.0 %s 2>&1 | FileCheck --check-prefix=EARLY %s

// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: the element type ui2.

// CHECK: StableHLO version: 1.2.0
// EARLY: error: the element type ui2 needs StableHLO 1.2.0, and the target is 1.1.0

func.func @main(%operand: tensor<2xui2>) -> tensor<2xui2> {
  return %operand : tensor<2xui2>
}
