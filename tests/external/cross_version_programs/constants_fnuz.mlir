// Since 0.10.0: constants of f8E4M3FNUZ and f8E5M2FNUZ.
func.func @main() -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = stablehlo.constant dense<[-1.5, 0.25, 3.0]> : tensor<3xf8E4M3FNUZ>
  %1 = stablehlo.convert %0 : (tensor<3xf8E4M3FNUZ>) -> tensor<3xf32>
  %2 = stablehlo.constant dense<[-1.5, 0.25, 3.0]> : tensor<3xf8E5M2FNUZ>
  %3 = stablehlo.convert %2 : (tensor<3xf8E5M2FNUZ>) -> tensor<3xf32>
  return %1, %3 : tensor<3xf32>, tensor<3xf32>
}
