module {
  func.func @main() -> tensor<1x1x5xi8> {
    %c = stablehlo.constant dense<[[[114]], [[-19]], [[123]]]> : tensor<3x1x1xi8>
    %c_0 = stablehlo.constant dense<1> : tensor<2x1x1xi8>
    %0 = stablehlo.convolution(%c, %c_0) dim_numbers = [0, b, f]x[0, o, i]->[f, b, 0], window = {pad = [[1, 3]], rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<3x1x1xi8>, tensor<2x1x1xi8>) -> tensor<1x1x5xi8>
    return %0 : tensor<1x1x5xi8>
  }
}
