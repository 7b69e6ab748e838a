// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @einsum(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) {
  %0 = "stablehlo.einsum"(%lhs, %rhs) {einsum_config = "ij,jk->ik"}
      : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @einsum_einsum_config(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) {
  // expected-error@+1 {{requires attribute 'einsum_config'}}
  %0 = "stablehlo.einsum"(%lhs, %rhs) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @einsum_einsum_config_kind(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) {
  // expected-error@+1 {{attribute 'einsum_config' failed to satisfy constraint: string attribute}}
  %0 = "stablehlo.einsum"(%lhs, %rhs) {einsum_config = 3 : i64} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
