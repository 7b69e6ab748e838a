// REQUIRES: stablehlo-1.19
// RUN: stablehlo-translate --serialize --target=1.19.0 %s | stablehlo-compat info - | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=1.18.0 %s 2>&1 | FileCheck --check-prefix=EARLY %s

// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: the op collective_reduce.

// CHECK: StableHLO version: 1.19.0
// EARLY: error: the op collective_reduce needs StableHLO 1.19.0, and the target is 1.18.0

func.func @main(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %result = "stablehlo.collective_reduce"(%operand) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
    %sum = stablehlo.add %lhs, %rhs : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return %result : tensor<2xf32>
}
