// REQUIRES: stablehlo-1.10
// RUN: stablehlo-translate --serialize --target=1.10.0 %s | stablehlo-compat info - | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=1.9.0 %s 2>&1 | FileCheck --check-prefix=EARLY %s

// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: an elementwise op that asks for a result_accuracy.

// CHECK: StableHLO version: 1.10.0
// EARLY: error: an elementwise op that asks for a result_accuracy needs StableHLO 1.10.0, and the target is 1.9.0

func.func @main(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %result = "stablehlo.cosine"(%operand) <{result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-03, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<2xf32>) -> tensor<2xf32>
  return %result : tensor<2xf32>
}
