// Since 1.8.0: constants of f4E2M1FN, f6E2M3FN, f6E3M2FN and f8E8M0FNU.
func.func @main() -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0 = stablehlo.constant dense<[-1.5, 0.5, 3.0]> : tensor<3xf4E2M1FN>
  %1 = stablehlo.convert %0 : (tensor<3xf4E2M1FN>) -> tensor<3xf32>
  %2 = stablehlo.constant dense<[-1.5, 0.25, 3.0]> : tensor<3xf6E2M3FN>
  %3 = stablehlo.convert %2 : (tensor<3xf6E2M3FN>) -> tensor<3xf32>
  %4 = stablehlo.constant dense<[-1.5, 0.25, 3.0]> : tensor<3xf6E3M2FN>
  %5 = stablehlo.convert %4 : (tensor<3xf6E3M2FN>) -> tensor<3xf32>
  %6 = stablehlo.constant dense<[0.25, 1.0, 64.0]> : tensor<3xf8E8M0FNU>
  %7 = stablehlo.convert %6 : (tensor<3xf8E8M0FNU>) -> tensor<3xf32>
  return %1, %3, %5, %7 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}
