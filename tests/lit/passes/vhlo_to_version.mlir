// Converts VHLO between versions.
// RUN: stablehlo-opt %s --stablehlo-legalize-to-vhlo --vhlo-to-version=target=0.19.0 | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(stablehlo-legalize-to-vhlo,vhlo-to-version{target=0.19.0})' | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-legalize-to-vhlo --vhlo-to-version=target=1.13.0 | FileCheck --check-prefix=CURRENT %s
// RUN: not stablehlo-opt %s --vhlo-to-version=target=soon 2>&1 | FileCheck --check-prefix=BAD %s

// CHECK: "vhlo.all_gather_v1"
// CURRENT: "vhlo.all_gather_v2"
// BAD: error: {{.*}}soon
func.func @all_gather(%operand: tensor<2xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.all_gather"(%operand) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
