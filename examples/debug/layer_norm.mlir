func.func @main(%x: tensor<4x16xbf16>) -> tensor<4x16xbf16> {
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %size = stablehlo.constant dense<16.0> : tensor<4xbf16>
  %epsilon = stablehlo.constant dense<1.0e-3> : tensor<4xbf16>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<4x16xbf16>, tensor<bf16>) -> tensor<4xbf16>
  %mean = stablehlo.divide %sum, %size : tensor<4xbf16>
  %squares = stablehlo.multiply %x, %x : tensor<4x16xbf16>
  %sum_of_squares = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<4x16xbf16>, tensor<bf16>) -> tensor<4xbf16>
  %mean_of_squares = stablehlo.divide %sum_of_squares, %size : tensor<4xbf16>
  %square_of_mean = stablehlo.multiply %mean, %mean : tensor<4xbf16>
  %variance = stablehlo.subtract %mean_of_squares, %square_of_mean : tensor<4xbf16>
  %shifted = stablehlo.add %variance, %epsilon : tensor<4xbf16>
  %scale = stablehlo.rsqrt %shifted : tensor<4xbf16>
  %means = stablehlo.broadcast_in_dim %mean, dims = [0] : (tensor<4xbf16>) -> tensor<4x16xbf16>
  %scales = stablehlo.broadcast_in_dim %scale, dims = [0] : (tensor<4xbf16>) -> tensor<4x16xbf16>
  %centred = stablehlo.subtract %x, %means : tensor<4x16xbf16>
  %normal = stablehlo.multiply %centred, %scales : tensor<4x16xbf16>
  return %normal : tensor<4x16xbf16>
}
