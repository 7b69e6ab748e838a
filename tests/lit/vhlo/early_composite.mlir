// REQUIRES: stablehlo-0.19
// RUN: stablehlo-translate --serialize --target=0.19.0 %s | stablehlo-compat info - | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=0.18.0 %s 2>&1 | FileCheck --check-prefix=EARLY %s

// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: the op composite.

// CHECK: StableHLO version: 0.19.0
// EARLY: error: the op composite needs StableHLO 0.19.0, and the target is 0.18.0

func.func @main(%operand: tensor<f32>) -> tensor<f32> {
  %result = stablehlo.composite "house.identity" %operand {decomposition = @identity} : (tensor<f32>) -> tensor<f32>
  return %result : tensor<f32>
}
func.func private @identity(%operand: tensor<f32>) -> tensor<f32> {
  return %operand : tensor<f32>
}
