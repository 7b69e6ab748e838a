// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @outfeed() {
  %token = stablehlo.create_token : !stablehlo.token
  %value = stablehlo.constant dense<[1.5, 2.5]> : tensor<2xf64>
  %written = "stablehlo.outfeed"(%value, %token) {outfeed_config = ""}
    : (tensor<2xf64>, !stablehlo.token) -> !stablehlo.token
  return
}
