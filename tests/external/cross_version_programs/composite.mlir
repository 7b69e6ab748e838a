// Since 0.19.0: a composite.
func.func @main() -> tensor<3xf32> {
  %0 = stablehlo.constant dense<[1.0, -2.0, 0.5]> : tensor<3xf32>
  %1 = stablehlo.composite "house.square" %0 {decomposition = @square, version = 1 : i32} : (tensor<3xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

func.func private @square(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.multiply %x, %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
