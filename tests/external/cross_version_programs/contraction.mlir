// A batched matrix product, a strided convolution, and a transpose.
func.func @main() -> (tensor<2x2x3xf32>, tensor<1x2x2x2xf32>) {
  %0 = stablehlo.iota dim = 1 : tensor<2x3x4xf32>
  %1 = stablehlo.iota dim = 2 : tensor<2x2x4xf32>
  %2 = stablehlo.add %1, %1 : tensor<2x2x4xf32>
  %3 = stablehlo.dot_general %2, %0, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x2x4xf32>, tensor<2x3x4xf32>) -> tensor<2x2x3xf32>
  %4 = stablehlo.iota dim = 1 : tensor<1x4x4x1xf32>
  %5 = stablehlo.constant dense<[[[[1.0, -1.0]], [[2.0, 0.5]]], [[[0.0, 3.0]], [[-1.0, 1.0]]]]> : tensor<2x2x1x2xf32>
  %6 = stablehlo.convolution(%4, %5) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xf32>, tensor<2x2x1x2xf32>) -> tensor<1x2x2x2xf32>
  return %3, %6 : tensor<2x2x3xf32>, tensor<1x2x2x2xf32>
}
