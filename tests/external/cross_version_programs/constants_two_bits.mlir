// Since 1.2.0: constants of i2 and ui2.
func.func @main() -> (tensor<3xi32>, tensor<3xui32>) {
  %0 = stablehlo.constant dense<[-2, 0, 1]> : tensor<3xi2>
  %1 = stablehlo.convert %0 : (tensor<3xi2>) -> tensor<3xi32>
  %2 = stablehlo.constant dense<[0, 2, 3]> : tensor<3xui2>
  %3 = stablehlo.convert %2 : (tensor<3xui2>) -> tensor<3xui32>
  return %1, %3 : tensor<3xi32>, tensor<3xui32>
}
