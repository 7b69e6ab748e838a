// REQUIRES: stablehlo-1.18
// RUN: stablehlo-translate --serialize --target=1.18.0 %s | stablehlo-compat info - | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=1.17.0 %s 2>&1 | FileCheck --check-prefix=EARLY %s

// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: a custom_call with result_tilings.

// CHECK: StableHLO version: 1.18.0
// EARLY: error: a custom_call with result_tilings needs StableHLO 1.18.0, and the target is 1.17.0

func.func @main(%input: tensor<8x128xf32>) -> tensor<8x128xf32> {
  %result = "stablehlo.custom_call"(%input) <{call_target_name = "house", operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>], result_tilings = [[dense<[8, 128]> : tensor<2xindex>]]}> : (tensor<8x128xf32>) -> tensor<8x128xf32>
  return %result : tensor<8x128xf32>
}
