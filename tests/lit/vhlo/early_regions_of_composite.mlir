// REQUIRES: stablehlo-1.14
// RUN: stablehlo-translate --serialize --target=1.14.0 %s | stablehlo-compat info - | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=1.13.0 %s 2>&1 | FileCheck --check-prefix=EARLY %s

// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: a composite with regions.

// CHECK: StableHLO version: 1.14.0
// EARLY: error: a composite with regions needs StableHLO 1.14.0, and the target is 1.13.0

func.func @main(%operand: tensor<f32>) -> tensor<f32> {
  %result = "stablehlo.composite"(%operand) <{name = "house.identity", decomposition = @identity}> ({
  ^bb0(%inner: tensor<f32>):
    "stablehlo.return"(%inner) : (tensor<f32>) -> ()
  }) : (tensor<f32>) -> tensor<f32>
  return %result : tensor<f32>
}
func.func private @identity(%operand: tensor<f32>) -> tensor<f32> {
  return %operand : tensor<f32>
}
