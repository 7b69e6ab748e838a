// REQUIRES: stablehlo-1.6
// RUN: stablehlo-translate --serialize --target=1.6.0 %s | stablehlo-compat info - | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=1.5.0 %s 2>&1 | FileCheck --check-prefix=EARLY %s

// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: the type none.

// CHECK: StableHLO version: 1.6.0
// EARLY: error: the type none needs StableHLO 1.6.0, and the target is 1.5.0

func.func @main(%absent: none) {
  return
}
