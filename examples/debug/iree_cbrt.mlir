module {
  func.func @main(%arg0: tensor<1xf16>) -> tensor<1xf16> {
    %0 = stablehlo.cbrt %arg0 : tensor<1xf16>
    return %0 : tensor<1xf16>
  }
}
