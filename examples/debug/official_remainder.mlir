module {
  func.func @main(%arg0: tensor<1xi2>) -> tensor<1xi2> {
    %0 = stablehlo.remainder %arg0, %arg0 : tensor<1xi2>
    return %0 : tensor<1xi2>
  }
}
