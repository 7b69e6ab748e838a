// Since 0.10.0: a conversion to an 8-bit float and back.
func.func @main() -> tensor<4xf32> {
  %0 = stablehlo.constant dense<[0.3, -1.7, 100.0, 0.02]> : tensor<4xf32>
  %1 = stablehlo.convert %0 : (tensor<4xf32>) -> tensor<4xf8E4M3FNUZ>
  %2 = stablehlo.convert %1 : (tensor<4xf8E4M3FNUZ>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
