// REQUIRES: stablehlo-1.19
// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics --stablehlo-verify-spec
// RUN: stablehlo-opt %s --split-input-file -o %t

func.func @collective_reduce_c4_promotion_gap(%operand: tensor<4xf32>) {
  // expected-error@+1 {{breaks C4 (computation combines two scalars of a type that the operand's can be promoted to): computation is (tensor<f16>, tensor<f16>) -> (tensor<f16>), operands is tensor<4xf32>, has_dynamic_root is left out}}
  %0 = "stablehlo.collective_reduce"(%operand) ({
    ^bb0(%lhs: tensor<f16>, %rhs: tensor<f16>):
      stablehlo.return %lhs : tensor<f16>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf16>
  return
}
