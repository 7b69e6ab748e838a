// REQUIRES: stablehlo-0.18
// RUN: stablehlo-translate --serialize --target=0.18.0 %s | stablehlo-compat info - | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=0.17.0 %s 2>&1 | FileCheck --check-prefix=EARLY %s

// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: a quantized type with scales along an axis.

// CHECK: StableHLO version: 0.18.0
// EARLY: error: a quantized type with scales along an axis needs StableHLO 0.18.0, and the target is 0.17.0

func.func @main(%operand: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>> {
  return %operand : tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
}
