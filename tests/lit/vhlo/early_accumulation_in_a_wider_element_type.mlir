// REQUIRES: stablehlo-0.17
// RUN: stablehlo-translate --serialize --target=0.17.0 %s | stablehlo-compat info - | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=0.16.0 %s 2>&1 | FileCheck --check-prefix=EARLY %s

// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: a reduction whose results have another element type than its operands.

// CHECK: StableHLO version: 0.17.0
// EARLY: error: a reduction whose results have another element type than its operands needs StableHLO 0.17.0, and the target is 0.16.0

func.func @main(%input: tensor<4xf32>, %init_value: tensor<f32>) -> tensor<f64> {
  %result = "stablehlo.reduce"(%input, %init_value) <{dimensions = array<i64: 0>}> ({
  ^bb0(%lhs: tensor<f64>, %rhs: tensor<f64>):
    %sum = stablehlo.add %lhs, %rhs : tensor<f64>
    stablehlo.return %sum : tensor<f64>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f64>
  return %result : tensor<f64>
}
