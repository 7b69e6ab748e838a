// REQUIRES: stablehlo-1.5
// RUN: stablehlo-translate --serialize --target=1.5.0 %s | stablehlo-compat info - | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=1.4.0 %s 2>&1 | FileCheck --check-prefix=EARLY %s

// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: a collective with another number of operands than one.

// CHECK: StableHLO version: 1.5.0
// EARLY: error: a collective with another number of operands than one needs StableHLO 1.5.0, and the target is 1.4.0

func.func @main(%first: tensor<2xf32>, %second: tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %results:2 = "stablehlo.all_gather"(%first, %second) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>, tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %results#0, %results#1 : tensor<4xf32>, tensor<4xf32>
}
