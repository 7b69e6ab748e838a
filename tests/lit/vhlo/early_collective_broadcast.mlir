// REQUIRES: stablehlo-0.16
// RUN: stablehlo-translate --serialize --target=0.16.0 %s | stablehlo-compat info - | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=0.15.0 %s 2>&1 | FileCheck --check-prefix=EARLY %s

// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: the op collective_broadcast.

// CHECK: StableHLO version: 0.16.0
// EARLY: error: the op collective_broadcast needs StableHLO 0.16.0, and the target is 0.15.0

func.func @main(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %result = "stablehlo.collective_broadcast"(%operand) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
  return %result : tensor<2xf32>
}
