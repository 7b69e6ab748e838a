// REQUIRES: stablehlo-1.20
// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @mesh_symbol(%operand: tensor<4xf32>) {
  // expected-error@+1 {{replica_groups: mesh symbol 'missing' not found}}
  %0 = "stablehlo.all_reduce"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @missing, axes = [#stablehlo.axis_ref<name = "x">]>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
