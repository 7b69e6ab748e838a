module {
  func.func @main(%arg0: tensor<2xi2>) -> tensor<2xi2> {
    %0 = "stablehlo.sort"(%arg0) <{is_stable = true}> ({
    ^bb0(%arg1: tensor<i2>, %arg2: tensor<i2>):
      %1 = stablehlo.compare LT, %arg1, %arg2 : (tensor<i2>, tensor<i2>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) : (tensor<2xi2>) -> tensor<2xi2>
    return %0 : tensor<2xi2>
  }
}
