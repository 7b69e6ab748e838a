// Since 0.9.0: constants of booleans: splats, mixed ones and scalars.
func.func @main() -> (tensor<9xi1>, tensor<2x3xi1>, tensor<11xi1>, tensor<i1>, tensor<i1>) {
  %0 = stablehlo.constant dense<true> : tensor<9xi1>
  %1 = stablehlo.constant dense<false> : tensor<2x3xi1>
  %2 = stablehlo.constant dense<[true, false, true, true, false, false, false, true, false, true, true]> : tensor<11xi1>
  %3 = stablehlo.constant dense<true> : tensor<i1>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  return %0, %1, %2, %3, %4 : tensor<9xi1>, tensor<2x3xi1>, tensor<11xi1>, tensor<i1>, tensor<i1>
}
