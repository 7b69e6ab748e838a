// Makes implicit batch dimensions of gather and scatter explicit.
// REQUIRES: pass-sdy-explicit-gather-scatter-batching
// RUN: stablehlo-opt %s --sdy-explicit-gather-scatter-batching | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(sdy-explicit-gather-scatter-batching))' | FileCheck %s

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<4x8xf32>, %{{.*}}: tensor<4x3x1xi32>) -> tensor<4x3xf32>
// CHECK-NEXT: %{{.*}} = "stablehlo.gather"(%{{.*}}, %{{.*}}) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<4x3x1xi32>) -> tensor<4x3xf32>
// CHECK-NEXT: return %{{.*}} : tensor<4x3xf32>
sdy.mesh @mesh = <["x"=2, "y"=4]>

func.func @main(%operand: tensor<4x8xf32>, %index: tensor<4x3x1xi32>) -> tensor<4x3xf32> {
  %iota = stablehlo.iota dim = 0 : tensor<4x3x1xi32>
  %indices = stablehlo.concatenate %iota, %index, dim = 2 : (tensor<4x3x1xi32>, tensor<4x3x1xi32>) -> tensor<4x3x2xi32>
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<4x3x2xi32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
