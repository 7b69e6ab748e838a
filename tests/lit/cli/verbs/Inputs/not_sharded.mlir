func.func @main(%operand: tensor<4xf32>) -> tensor<4xf32> {
  %result = stablehlo.tanh %operand : tensor<4xf32>
  return %result : tensor<4xf32>
}
