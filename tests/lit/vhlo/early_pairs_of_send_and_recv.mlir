// REQUIRES: stablehlo-1.12
// RUN: stablehlo-translate --serialize --target=1.12.0 %s | stablehlo-compat info - | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=1.11.0 %s 2>&1 | FileCheck --check-prefix=EARLY %s

// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: a send or recv with source_target_pairs.

// CHECK: StableHLO version: 1.12.0
// EARLY: error: a send or recv with source_target_pairs needs StableHLO 1.12.0, and the target is 1.11.0

func.func @main(%input: tensor<2xf32>, %token: !stablehlo.token) -> !stablehlo.token {
  %result = "stablehlo.send"(%input, %token) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return %result : !stablehlo.token
}
