// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @tokens() {
  %token = stablehlo.create_token : !stablehlo.token
  %both = stablehlo.after_all %token, %token : !stablehlo.token
  %none = stablehlo.after_all : !stablehlo.token
  return
}
