// Gather, scatter, slices at computed places, and padding.
func.func @main() -> (tensor<2x4xf32>, tensor<3x4xf32>, tensor<2x2xf32>, tensor<4x6xf32>) {
  %x = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf32>
  %indices = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi64>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %pad = stablehlo.constant dense<-1.0> : tensor<f32>
  %0 = "stablehlo.gather"(%x, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<3x4xf32>, tensor<2x1xi64>) -> tensor<2x4xf32>
  %1 = "stablehlo.scatter"(%x, %indices, %0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %4 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }) : (tensor<3x4xf32>, tensor<2x1xi64>, tensor<2x4xf32>) -> tensor<3x4xf32>
  %2 = stablehlo.dynamic_slice %1, %one, %one, sizes = [2, 2] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
  %3 = stablehlo.pad %x, %pad, low = [0, 1], high = [1, -2], interior = [0, 1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<4x6xf32>
  return %0, %1, %2, %3 : tensor<2x4xf32>, tensor<3x4xf32>, tensor<2x2xf32>, tensor<4x6xf32>
}
