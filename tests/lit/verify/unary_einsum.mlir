// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @unary_einsum(%operand: tensor<2x3xf32>) {
  %0 = "stablehlo.unary_einsum"(%operand) {einsum_config = "ij->ji"} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @unary_einsum_einsum_config(%operand: tensor<2x3xf32>) {
  // expected-error@+1 {{requires attribute 'einsum_config'}}
  %0 = "stablehlo.unary_einsum"(%operand) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}
