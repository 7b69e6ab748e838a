// Since 1.9.0: an exponential that asks for the highest accuracy.
func.func @main() -> tensor<3xf32> {
  %0 = stablehlo.constant dense<[0.5, -1.25, 3.0]> : tensor<3xf32>
  %1 = "stablehlo.exponential"(%0) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>}> : (tensor<3xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}
