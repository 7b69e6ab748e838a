// REQUIRES: stablehlo-1.16
// RUN: stablehlo-translate --serialize --target=1.16.0 %s | stablehlo-compat info - | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=1.15.0 %s 2>&1 | FileCheck --check-prefix=EARLY %s

// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: replica groups described by the axes of a mesh.

// CHECK: StableHLO version: 1.16.0
// EARLY: error: replica groups described by the axes of a mesh needs StableHLO 1.16.0, and the target is 1.15.0

func.func @main(%operand: tensor<2xf32>) -> tensor<8xf32> {
  %result = "stablehlo.all_gather"(%operand) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<
    mesh = #stablehlo.mesh<axes = [<name = "x", size = 2>, <name = "y", size = 4>]>, axes = [#stablehlo.axis_ref<name = "y">]>}> : (tensor<2xf32>) -> tensor<8xf32>
  return %result : tensor<8xf32>
}
