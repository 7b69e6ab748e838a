// Since 1.1.0: a gather with batching dimensions.
func.func @main() -> tensor<2x1xf32> {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[[2], [1]]> : tensor<2x1xi64>
  %2 = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<2x3xf32>, tensor<2x1xi64>) -> tensor<2x1xf32>
  return %2 : tensor<2x1xf32>
}
