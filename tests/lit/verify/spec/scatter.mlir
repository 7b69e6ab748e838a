// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics --stablehlo-verify-spec
// RUN: stablehlo-opt %s --split-input-file -o %t

// Each parameter may be what the inputs promote to, so the two can differ.
func.func @scatter_c23_argument_type_gap(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x3xf32>) {
  // expected-error@+1 {{breaks C23 (update_computation takes two scalars of each kind to one, of types the inputs promote to): update_computation is (tensor<f32>, tensor<f64>) -> (tensor<f32>), inputs is tensor<5x4x3xf32>}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f64>):
      stablehlo.return %lhs : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<7x3xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

// Floats count as promotable to any float, narrower ones included.
func.func @scatter_c23_promotion_gap(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x3xf32>) {
  // expected-error@+1 {{breaks C23 (update_computation takes two scalars of each kind to one, of types the inputs promote to): update_computation is (tensor<f16>, tensor<f16>) -> (tensor<f16>), inputs is tensor<5x4x3xf32>}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f16>, %rhs: tensor<f16>):
      stablehlo.return %lhs : tensor<f16>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<7x3xf32>) -> tensor<5x4x3xf16>
  return
}
