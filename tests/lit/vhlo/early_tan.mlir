// REQUIRES: stablehlo-1.4
// RUN: stablehlo-translate --serialize --target=1.4.0 %s | stablehlo-compat info - | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=1.3.0 %s 2>&1 | FileCheck --check-prefix=EARLY %s

// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: the op tan.

// CHECK: StableHLO version: 1.4.0
// EARLY: error: the op tan needs StableHLO 1.4.0, and the target is 1.3.0

func.func @main(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %result = stablehlo.tan %operand : tensor<2xf32>
  return %result : tensor<2xf32>
}
