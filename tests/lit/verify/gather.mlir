// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @gather(%operand: tensor<3x4x2xi32>, %start_indices: tensor<2x3x2xi64>) {
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 2, 2>
  } : (tensor<3x4x2xi32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xi32>
  return
}

// -----

func.func @gather_c11_c17_batching(%operand: tensor<5x3x4xf32>, %start_indices: tensor<7x5xi32>) {
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 4>
  } : (tensor<5x3x4xf32>, tensor<7x5xi32>) -> tensor<7x5x4xf32>
  return
}

// -----

func.func @gather_c22_dynamic(%operand: tensor<?x4xf32>, %start_indices: tensor<?x1xi32>) {
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>, indices_are_sorted = true
  } : (tensor<?x4xf32>, tensor<?x1xi32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @gather_c22_bounded(%operand: tensor<?x4xf32, #stablehlo.bounds<9, ?>>, %start_indices: tensor<?x1xi32, #stablehlo.bounds<6, ?>>) {
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>
  } : (tensor<?x4xf32, #stablehlo.bounds<9, ?>>, tensor<?x1xi32, #stablehlo.bounds<6, ?>>) -> tensor<?x4xf32, #stablehlo.bounds<6, ?>>
  return
}

// -----

func.func @gather_c1(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>) {
  // expected-error@+2 {{offset_dims size (1) plus collapse_slice_dims size (1) plus operand_batching_dims size (0) is not equal to operand rank (3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2, 2>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>) -> tensor<6x2xi32>
  return
}

// -----

func.func @gather_c2(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>) {
  // expected-error@+2 {{Expects index_vector_dim to be in range [0, rank-of('start_indices')] i.e. [0, 2]. got: 3.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 3>,
    slice_sizes = array<i64: 1, 2, 2>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>) -> tensor<6x2x2xi32>
  return
}

// -----

func.func @gather_c2_negative(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>) {
  // expected-error@+2 {{Expects index_vector_dim to be in range [0, rank-of('start_indices')] i.e. [0, 2]. got: -1.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = -1>,
    slice_sizes = array<i64: 1, 2, 2>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>) -> tensor<6x2x2xi32>
  return
}

// -----

func.func @gather_c3(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x3xi64>) {
  // expected-error@+2 {{start_index_map size (2) is not equal to size of index dimension (1) of start_indices (3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2, 2>
  } : (tensor<3x4x2xi32>, tensor<6x3xi64>) -> tensor<6x2x2xi32>
  return
}

// -----

func.func @gather_c3_implicit(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6xi64>) {
  // expected-error@+2 {{start_index_map size (2) is not equal to size of index dimension (1) of start_indices (1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2, 2>
  } : (tensor<3x4x2xi32>, tensor<6xi64>) -> tensor<6x2x2xi32>
  return
}

// -----

func.func @gather_c4_sorted(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>) {
  // expected-error@+2 {{expects offset_dims to be sorted, got: [2, 1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2, 1], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2, 2>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>) -> tensor<6x2x2xi32>
  return
}

// -----

func.func @gather_c4_unique(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>) {
  // expected-error@+2 {{expects offset_dims to not repeat, got: [2, 2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2, 2>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>) -> tensor<6x2x2xi32>
  return
}

// -----

func.func @gather_c5(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>) {
  // expected-error@+2 {{Expects each element of offset_dims to be in range [0, implied-result-rank) i.e. [0, 3). got: 3.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2, 2>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>) -> tensor<6x2x2xi32>
  return
}

// -----

func.func @gather_c5_negative(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>) {
  // expected-error@+2 {{Expects each element of offset_dims to be in range [0, implied-result-rank) i.e. [0, 3). got: -1.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [-1, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2, 2>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>) -> tensor<6x2x2xi32>
  return
}

// -----

func.func @gather_c6(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>) {
  // expected-error@+2 {{has duplicated dimension from collapsed_slice_dims and operand_batching_dims: 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 0], start_index_map = [1, 0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2, 2>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>) -> tensor<6x2xi32>
  return
}

// -----

func.func @gather_c6_batching(%operand: tensor<5x3x4xf32>, %start_indices: tensor<7x5xi32>) {
  // expected-error@+2 {{has duplicated dimension from collapsed_slice_dims and operand_batching_dims: 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 4>
  } : (tensor<5x3x4xf32>, tensor<7x5xi32>) -> tensor<7x5x4xf32>
  return
}

// -----

func.func @gather_c7(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>) {
  // expected-error@+2 {{expects collapsed_slice_dims to be sorted, got: [1, 0]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1, 0], start_index_map = [1, 0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 1, 2>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>) -> tensor<6x2xi32>
  return
}

// -----

func.func @gather_c8(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>) {
  // expected-error@+2 {{Expects each element of collapsed_slice_dims to be in range [0, rank-of('operand')) i.e. [0, 3). got: 3.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [3], start_index_map = [1, 0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2, 2>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>) -> tensor<6x2x2xi32>
  return
}

// -----

func.func @gather_c8_negative(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>) {
  // expected-error@+2 {{Expects each element of collapsed_slice_dims to be in range [0, rank-of('operand')) i.e. [0, 3). got: -1.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [-1], start_index_map = [1, 0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2, 2>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>) -> tensor<6x2x2xi32>
  return
}

// -----

func.func @gather_c9(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>) {
  // expected-error@+2 {{Expects that for each dim in collapsed_slice_dims, slice_sizes[dim] should be <= 1, but got 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>,
    slice_sizes = array<i64: 2, 2, 2>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>) -> tensor<6x2x2xi32>
  return
}

// -----

func.func @gather_c10(%operand: tensor<5x3x4xf32>, %start_indices: tensor<3x5xi32>) {
  // expected-error@+2 {{expects operand_batching_dims to be sorted, got: [1, 0]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2], operand_batching_dims = [1, 0], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 4>
  } : (tensor<5x3x4xf32>, tensor<3x5xi32>) -> tensor<3x5x4xf32>
  return
}

// -----

func.func @gather_c11(%operand: tensor<5x3x4xf32>, %start_indices: tensor<7x5xi32>) {
  // expected-error@+2 {{Expects each element of operand_batching_dims to be in range [0, rank-of('operand')) i.e. [0, 3). got: 3.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [3], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 4>
  } : (tensor<5x3x4xf32>, tensor<7x5xi32>) -> tensor<7x5x4xf32>
  return
}

// -----

func.func @gather_c11_negative(%operand: tensor<5x3x4xf32>, %start_indices: tensor<7x5xi32>) {
  // expected-error@+2 {{Expects each element of operand_batching_dims to be in range [0, rank-of('operand')) i.e. [0, 3). got: -1.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [-1], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 4>
  } : (tensor<5x3x4xf32>, tensor<7x5xi32>) -> tensor<7x5x4xf32>
  return
}

// -----

func.func @gather_c12(%operand: tensor<5x3x4xf32>, %start_indices: tensor<7x5xi32>) {
  // expected-error@+2 {{Expects that for each dim in operand_batching_dims, slice_sizes[dim] should be <= 1, but got 3}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 3, 1, 4>
  } : (tensor<5x3x4xf32>, tensor<7x5xi32>) -> tensor<7x5x4xf32>
  return
}

// -----

func.func @gather_c13(%operand: tensor<5x5x4xf32>, %start_indices: tensor<5x7xi32>) {
  // expected-error@+2 {{expects start_indices_batching_dims to not repeat, got: [0, 0]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 0], start_index_map = [2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 4>
  } : (tensor<5x5x4xf32>, tensor<5x7xi32>) -> tensor<5x7x4xf32>
  return
}

// -----

func.func @gather_c14(%operand: tensor<5x3x4xf32>, %start_indices: tensor<5x1xi32>) {
  // expected-error@+2 {{Expects each element of start_indices_batching_dims to be in range [0, rank-of('start_indices')) i.e. [0, 2). got: 2.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [2], start_index_map = [1], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 1, 4>
  } : (tensor<5x3x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @gather_c14_negative(%operand: tensor<5x3x4xf32>, %start_indices: tensor<7x5xi32>) {
  // expected-error@+2 {{Expects each element of start_indices_batching_dims to be in range [0, rank-of('start_indices')) i.e. [0, 2). got: -2.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [-2], start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 4>
  } : (tensor<5x3x4xf32>, tensor<7x5xi32>) -> tensor<7x5x4xf32>
  return
}

// -----

func.func @gather_c15(%operand: tensor<5x3x4xf32>, %start_indices: tensor<7x5x1xi32>) {
  // expected-error@+2 {{expects start_indices_batching_dims not to include index_vector_dim 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [2], start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 4>
  } : (tensor<5x3x4xf32>, tensor<7x5x1xi32>) -> tensor<7x5x4xf32>
  return
}

// -----

func.func @gather_c16(%operand: tensor<5x3x4xf32>, %start_indices: tensor<7x5xi32>) {
  // expected-error@+2 {{operand_batching_dims and start_indices_batching_dims should have the same size}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0, 1], start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 4>
  } : (tensor<5x3x4xf32>, tensor<7x5xi32>) -> tensor<7x5x4xf32>
  return
}

// -----

func.func @gather_c17(%operand: tensor<5x3x4xf32>, %start_indices: tensor<7x6xi32>) {
  // expected-error@+2 {{operand_batching_dims[0] and start_indices_batching_dims[0] must have compatible sizes, but got 5 and 6}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 4>
  } : (tensor<5x3x4xf32>, tensor<7x6xi32>) -> tensor<7x6x4xf32>
  return
}

// -----

func.func @gather_c18(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>) {
  // expected-error@+2 {{has duplicated dimension from start_index_map and operand_batching_dims: 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0, 0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2, 2>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>) -> tensor<6x2x2xi32>
  return
}

// -----

func.func @gather_c18_batching(%operand: tensor<5x3x4xf32>, %start_indices: tensor<7x5xi32>) {
  // expected-error@+2 {{has duplicated dimension from start_index_map and operand_batching_dims: 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [0], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 4>
  } : (tensor<5x3x4xf32>, tensor<7x5xi32>) -> tensor<7x5x4xf32>
  return
}

// -----

func.func @gather_c19(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>) {
  // expected-error@+2 {{Expects each element of start_index_map to be in range [0, rank-of('operand')) i.e. [0, 3). got: 3.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [3, 0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2, 2>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>) -> tensor<6x2x2xi32>
  return
}

// -----

func.func @gather_c19_negative(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>) {
  // expected-error@+2 {{Expects each element of start_index_map to be in range [0, rank-of('operand')) i.e. [0, 3). got: -2.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [-2, 0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2, 2>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>) -> tensor<6x2x2xi32>
  return
}

// -----

func.func @gather_c20(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>) {
  // expected-error@+2 {{slice_sizes size (2) not equal to operand rank (3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>) -> tensor<6x2x2xi32>
  return
}

// -----

func.func @gather_c21(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>) {
  // expected-error@+2 {{slice size (5) is out of bounds for operand dimension (4) at index 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 5, 2>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>) -> tensor<6x5x2xi32>
  return
}

// -----

func.func @gather_c21_negative(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>) {
  // expected-error@+2 {{slice size (-1) is out of bounds for operand dimension (4) at index 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, -1, 2>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>) -> tensor<6x1x2xi32>
  return
}

// -----

func.func @gather_c22(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>) {
  // expected-error@+2 {{inferred type(s) 'tensor<6x2x2xi32>' are incompatible with return type(s) of operation 'tensor<6x2x3xi32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2, 2>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>) -> tensor<6x2x3xi32>
  return
}

// -----

func.func @gather_c23(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>) {
  // expected-error@+1 {{failed to verify that all of {operand, result} have same element type}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2, 2>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>) -> tensor<6x2x2xi64>
  return
}

// -----

func.func @gather_i2(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xf32>) {
  // expected-error@+1 {{operand #1 must be ranked tensor of}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2, 2>
  } : (tensor<3x4x2xi32>, tensor<6x2xf32>) -> tensor<6x2x2xi32>
  return
}

// -----

func.func @gather_c6_twice(%operand: tensor<3x4x2xi32>, %start_indices: tensor<2x3x2xi64>) {
  // expected-error@+2 {{has duplicated dimension from collapsed_slice_dims and operand_batching_dims: 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0, 0], start_index_map = [1, 0], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 2>
  } : (tensor<3x4x2xi32>, tensor<2x3x2xi64>) -> tensor<2x3x2xi32>
  return
}
