// REQUIRES: stablehlo-1.15
// RUN: stablehlo-translate --serialize --target=1.15.0 %s | stablehlo-compat info - | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=1.14.0 %s 2>&1 | FileCheck --check-prefix=EARLY %s

// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: the ops async_start and async_done.

// CHECK: StableHLO version: 1.15.0
// EARLY: error: the ops async_start and async_done needs StableHLO 1.15.0, and the target is 1.14.0

func.func @main(%operand: tensor<2xf32>) -> tensor<4xf32> {
  %future = "stablehlo.async_start"(%operand) ({
  ^bb0(%inner: tensor<2xf32>):
    %gathered = "stablehlo.all_gather"(%inner) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
    stablehlo.return %gathered : tensor<4xf32>
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<4xf32>>
  %result = "stablehlo.async_done"(%future) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  return %result : tensor<4xf32>
}
