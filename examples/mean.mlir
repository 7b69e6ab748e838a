func.func @main(%values: tensor<4xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %count = stablehlo.constant dense<4.0> : tensor<f32>
  %sum = stablehlo.reduce(%values init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %mean = stablehlo.divide %sum, %count : tensor<f32>
  return %mean : tensor<f32>
}
