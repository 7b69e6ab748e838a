// Since 1.4.0: tan.
func.func @main() -> tensor<3xf32> {
  %0 = stablehlo.constant dense<[0.5, -1.25, 3.0]> : tensor<3xf32>
  %1 = stablehlo.tan %0 : tensor<3xf32>
  return %1 : tensor<3xf32>
}
