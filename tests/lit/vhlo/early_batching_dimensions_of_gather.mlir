// REQUIRES: stablehlo-1.1
// RUN: stablehlo-translate --serialize --target=1.1.0 %s | stablehlo-compat info - | FileCheck %s
// RUN: not stablehlo-translate --serialize --target=1.0.0 %s 2>&1 | FileCheck --check-prefix=EARLY %s

// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: a gather with operand_batching_dims and start_indices_batching_dims.

// CHECK: StableHLO version: 1.1.0
// EARLY: error: a gather with operand_batching_dims and start_indices_batching_dims needs StableHLO 1.1.0, and the target is 1.0.0

func.func @main(%operand: tensor<2x4xf32>, %start_indices: tensor<2x1xi64>) -> tensor<2x1xf32> {
  %result = "stablehlo.gather"(%operand, %start_indices) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 1>}> : (tensor<2x4xf32>, tensor<2x1xi64>) -> tensor<2x1xf32>
  return %result : tensor<2x1xf32>
}
