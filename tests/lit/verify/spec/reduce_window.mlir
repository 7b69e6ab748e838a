// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics --stablehlo-verify-spec
// RUN: stablehlo-opt %s --split-input-file -o %t

func.func @reduce_window_c13_promotion_gap(%inputs: tensor<4xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{breaks C13 (body takes two scalars of each kind to one, of types the inputs promote to): body is (tensor<f16>, tensor<f16>) -> (tensor<f16>), inputs is tensor<4xf32>}}
  %0 = "stablehlo.reduce_window"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f16>, %rhs: tensor<f16>):
      stablehlo.return %lhs : tensor<f16>
  }) {window_dimensions = array<i64: 2>} : (tensor<4xf32>, tensor<f32>) -> tensor<3xf16>
  return
}
