module {
  func.func @main() -> tensor<6x12x1x5xi32> {
    %c = stablehlo.constant dense<[[[[1223985381]], [[469690713]], [[366315538]], [[-1285742733]], [[327176350]], [[404682225]]], [[[1791425241]], [[-837765106]], [[-2130338822]], [[-957894896]], [[940038049]], [[-1069833064]]]]> : tensor<2x6x1x1xi32>
    %c_0 = stablehlo.constant dense<1> : tensor<4x1x6x5xi32>
    %0 = stablehlo.convolution(%c_0, %c) dim_numbers = [1, b, f, 0]x[i, o, 1, 0]->[f, 0, b, 1], window = {stride = [1, 2], pad = [[1, 2], [2, 1]], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<4x1x6x5xi32>, tensor<2x6x1x1xi32>) -> tensor<6x12x1x5xi32>
    return %0 : tensor<6x12x1x5xi32>
  }
}
