// Writes mhlo.torch_index_select as mhlo.gather.
// REQUIRES: pass-mhlo-legalize-torch-index-select-to-gather
// RUN: stablehlo-opt %s --mhlo-legalize-torch-index-select-to-gather | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(mhlo-legalize-torch-index-select-to-gather))' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<5x4xf32>, %{{.*}}: tensor<2xi32>) -> tensor<2x4xf32>
// CHECK-NEXT: %{{.*}} = "mhlo.gather"(%{{.*}}, %{{.*}}) <{dimension_numbers = #mhlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = dense<[1, 4]> : tensor<2xi64>}> : (tensor<5x4xf32>, tensor<2xi32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %{{.*}} : tensor<2x4xf32>
func.func @main(%operand: tensor<5x4xf32>, %index: tensor<2xi32>) -> tensor<2x4xf32> {
  %0 = "mhlo.torch_index_select"(%operand, %index) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<5x4xf32>, tensor<2xi32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
