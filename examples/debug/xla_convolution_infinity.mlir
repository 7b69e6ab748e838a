module {
  func.func @main(%arg0: tensor<4x2x1x2xf16>, %arg1: tensor<1x4x1x2xf16>) -> tensor<1x2x7x4xf16> {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [0, f, b, 1]x[0, o, i, 1]->[b, 1, 0, f], window = {stride = [1, 2], pad = [[1, 2], [1, 2]], reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<4x2x1x2xf16>, tensor<1x4x1x2xf16>) -> tensor<1x2x7x4xf16>
    return %0 : tensor<1x2x7x4xf16>
  }
}
