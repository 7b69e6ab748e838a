// REQUIRES: stablehlo-1.15
// RUN: stablehlo-translate --serialize --target=1.15.0 %s | stablehlo-compat info - | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=1.14.0 %s 2>&1 | FileCheck --check-prefix=EARLY %s

// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: the type future.

// CHECK: StableHLO version: 1.15.0
// EARLY: error: the type future needs StableHLO 1.15.0, and the target is 1.14.0

func.func @main(%operand: !stablehlo.future<tensor<2xf32>>) -> !stablehlo.future<tensor<2xf32>> {
  return %operand : !stablehlo.future<tensor<2xf32>>
}
