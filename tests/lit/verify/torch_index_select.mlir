// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @torch_index_select(%operand: tensor<5x2xf32>, %index: tensor<3xi32>) {
  %0 = "stablehlo.torch_index_select"(%operand, %index) {dim = 0 : i64, batch_dims = 0 : i64}
      : (tensor<5x2xf32>, tensor<3xi32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @torch_index_select_dim(%operand: tensor<5x2xf32>, %index: tensor<3xi32>) {
  // expected-error@+1 {{requires attribute 'dim'}}
  %0 = "stablehlo.torch_index_select"(%operand, %index) {batch_dims = 0 : i64}
      : (tensor<5x2xf32>, tensor<3xi32>) -> tensor<3x2xf32>
  return
}
