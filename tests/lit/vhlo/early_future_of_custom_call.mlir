// REQUIRES: stablehlo-1.17
// RUN: stablehlo-translate --serialize --target=1.17.0 %s | stablehlo-compat info - | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=1.16.0 %s 2>&1 | FileCheck --check-prefix=EARLY %s

// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: a custom_call that takes a future.

// CHECK: StableHLO version: 1.17.0
// EARLY: error: a custom_call that takes a future needs StableHLO 1.17.0, and the target is 1.16.0

func.func @main(%input: !stablehlo.future<tensor<2xf32>>) -> tensor<2xf32> {
  %result = stablehlo.custom_call @wait(%input) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
  return %result : tensor<2xf32>
}
