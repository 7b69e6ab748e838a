// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics --stablehlo-verify-spec
// RUN: stablehlo-opt %s --split-input-file -o %t

// The body may even work on whole slices, as long as the init values do.
func.func @reduce_c6_slices_gap(%inputs: tensor<4x3xf32>, %init_values: tensor<3xf32>) {
  // expected-error@+1 {{breaks C6 (body takes two scalars of each kind to one, of types the inputs promote to): body is (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>), inputs is tensor<4x3xf32>}}
  %0 = "stablehlo.reduce"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<3xf32>, %rhs: tensor<3xf32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<3xf32>
      stablehlo.return %sum : tensor<3xf32>
  }) {dimensions = array<i64: 0>} : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @reduce_c6_promotion_gap(%inputs: tensor<4x3xf32>, %init_values: tensor<f32>) {
  // expected-error@+1 {{breaks C6 (body takes two scalars of each kind to one, of types the inputs promote to): body is (tensor<f16>, tensor<f16>) -> (tensor<f16>), inputs is tensor<4x3xf32>}}
  %0 = "stablehlo.reduce"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f16>, %rhs: tensor<f16>):
      stablehlo.return %lhs : tensor<f16>
  }) {dimensions = array<i64: 0>} : (tensor<4x3xf32>, tensor<f32>) -> tensor<3xf16>
  return
}
