// REQUIRES: stablehlo-1.1
// RUN: stablehlo-translate --serialize --target=1.1.0 %s | stablehlo-compat info - | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=1.0.0 %s 2>&1 | FileCheck --check-prefix=EARLY %s

// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: a scatter with input_batching_dims and scatter_indices_batching_dims.

// CHECK: StableHLO version: 1.1.0
// EARLY: error: a scatter with input_batching_dims and scatter_indices_batching_dims needs StableHLO 1.1.0, and the target is 1.0.0

func.func @main(%input: tensor<2x4xf32>, %scatter_indices: tensor<2x1xi64>, %update: tensor<2x1xf32>) -> tensor<2x4xf32> {
  %result = "stablehlo.scatter"(%input, %scatter_indices, %update) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    stablehlo.return %new : tensor<f32>
  }) : (tensor<2x4xf32>, tensor<2x1xi64>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %result : tensor<2x4xf32>
}
