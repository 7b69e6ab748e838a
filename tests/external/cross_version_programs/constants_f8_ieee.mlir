// Since 1.7.0: constants of f8E4M3 and f8E3M4.
func.func @main() -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = stablehlo.constant dense<[-1.5, 0.25, 3.0]> : tensor<3xf8E4M3>
  %1 = stablehlo.convert %0 : (tensor<3xf8E4M3>) -> tensor<3xf32>
  %2 = stablehlo.constant dense<[-1.5, 0.25, 3.0]> : tensor<3xf8E3M4>
  %3 = stablehlo.convert %2 : (tensor<3xf8E3M4>) -> tensor<3xf32>
  return %1, %3 : tensor<3xf32>, tensor<3xf32>
}
