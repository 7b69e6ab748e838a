module {
  func.func @main(%arg0: tensor<3xi32>, %arg1: tensor<i8>) -> tensor<2xi32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [2] : (tensor<3xi32>, tensor<i8>) -> tensor<2xi32>
    return %0 : tensor<2xi32>
  }
}
