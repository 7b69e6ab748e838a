// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics --stablehlo-verify-spec
// RUN: stablehlo-opt %s --split-input-file -o %t

// Groups of unequal size are filled up with -1, which the spec does not provide for.
func.func @all_reduce_c3_gap(%operand: tensor<4xf32>) {
  // expected-error@+1 {{breaks C3 (ids count up from zero without gaps): replica_groups is dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>}}
  %0 = "stablehlo.all_reduce"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @all_reduce_c5_promotion_gap(%operand: tensor<4xf32>) {
  // expected-error@+1 {{breaks C5 (computation takes two scalars to one, of a type the operand promotes to): computation is (tensor<f16>, tensor<f16>) -> (tensor<f16>), operands is tensor<4xf32>}}
  %0 = "stablehlo.all_reduce"(%operand) ({
    ^bb0(%lhs: tensor<f16>, %rhs: tensor<f16>):
      stablehlo.return %lhs : tensor<f16>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf16>
  return
}
