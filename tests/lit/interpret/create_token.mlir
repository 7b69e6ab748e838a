// RUN: stablehlo-translate --interpret %s | FileCheck %s

// CHECK: !stablehlo.token
func.func @token() -> !stablehlo.token {
  %token = stablehlo.create_token : !stablehlo.token
  return %token : !stablehlo.token
}
