// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics --stablehlo-verify-spec
// RUN: stablehlo-opt %s --split-input-file -o %t

func.func @reduce_scatter_c8_gap(%operand: tensor<4x6xf32>) {
  // expected-error@+1 {{breaks C8 (scatter_dimension shrinks by the size of a group; nothing else changes): dimension 1 of result 0 is declared 2, it is 3}}
  %0 = "stablehlo.reduce_scatter"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @reduce_scatter_c7_promotion_gap(%operand: tensor<4x6xf32>) {
  // expected-error@+1 {{breaks C7 (computation takes two scalars to one, of a type the operand promotes to): computation is (tensor<f16>, tensor<f16>) -> (tensor<f16>), operand is tensor<4x6xf32>}}
  %0 = "stablehlo.reduce_scatter"(%operand) ({
    ^bb0(%lhs: tensor<f16>, %rhs: tensor<f16>):
      stablehlo.return %lhs : tensor<f16>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<4x3xf16>
  return
}
