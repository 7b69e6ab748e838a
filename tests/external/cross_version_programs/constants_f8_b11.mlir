// Since 0.11.0: constants of f8E4M3B11FNUZ.
func.func @main() -> tensor<3xf32> {
  %0 = stablehlo.constant dense<[-1.5, 0.25, 3.0]> : tensor<3xf8E4M3B11FNUZ>
  %1 = stablehlo.convert %0 : (tensor<3xf8E4M3B11FNUZ>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}
