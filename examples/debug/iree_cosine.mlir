module {
  func.func @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.cosine %arg0 : tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}
