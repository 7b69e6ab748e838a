func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %c = stablehlo.constant dense<3.0> : tensor<64xf32>
  %0 = stablehlo.divide %x, %c : tensor<64xf32>
  return %0 : tensor<64xf32>
}
