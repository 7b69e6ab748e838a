// REQUIRES: stablehlo-1.20
// RUN: stablehlo-translate --serialize --target=1.20.0 %s | stablehlo-compat info - | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=1.19.0 %s 2>&1 | FileCheck --check-prefix=EARLY %s

// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: a collective_broadcast with a dynamic root, or with another number of operands than one.

// CHECK: StableHLO version: 1.20.0
// EARLY: error: a collective_broadcast with a dynamic root, or with another number of operands than one needs StableHLO 1.20.0, and the target is 1.19.0

func.func @main(%operand: tensor<2xf32>, %root: tensor<1xi32>) -> tensor<2xf32> {
  %result = "stablehlo.collective_broadcast"(%operand, %root) <{has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>, tensor<1xi32>) -> tensor<2xf32>
  return %result : tensor<2xf32>
}
