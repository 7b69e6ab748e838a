// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @dynamic_gather(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>, %slice_sizes: tensor<3xi32>) {
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>, tensor<3xi32>) -> tensor<6x?x?xi32>
  return
}

// -----

func.func @dynamic_gather_c13_dynamic(%operand: tensor<?x?xf32>, %start_indices: tensor<?x1xi64>, %slice_sizes: tensor<2xi64>) {
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    indices_are_sorted = false
  } : (tensor<?x?xf32>, tensor<?x1xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @dynamic_gather_c8_c12_c13_constant(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>) {
  %slice_sizes = stablehlo.constant dense<[1, 2, 2]> : tensor<3xi64>
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>, tensor<3xi64>) -> tensor<6x2x2xi32>
  return
}

// -----

func.func @dynamic_gather_c1(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>, %slice_sizes: tensor<3xi32>) {
  // expected-error@+2 {{offset_dims size (1) plus collapse_slice_dims size (1) plus operand_batching_dims size (0) is not equal to operand rank (3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>, tensor<3xi32>) -> tensor<6x?xi32>
  return
}

// -----

func.func @dynamic_gather_c2(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>, %slice_sizes: tensor<3xi32>) {
  // expected-error@+2 {{Expects index_vector_dim to be in range [0, rank-of('start_indices')] i.e. [0, 2]. got: 3.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 3>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>, tensor<3xi32>) -> tensor<6x?x?xi32>
  return
}

// -----

func.func @dynamic_gather_c3(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>, %slice_sizes: tensor<3xi32>) {
  // expected-error@+2 {{start_index_map size (3) is not equal to size of index dimension (1) of start_indices (2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [1, 0, 2], index_vector_dim = 1>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>, tensor<3xi32>) -> tensor<6x?x?xi32>
  return
}

// -----

func.func @dynamic_gather_c4_sorted(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>, %slice_sizes: tensor<3xi32>) {
  // expected-error@+2 {{expects offset_dims to be sorted, got: [2, 1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2, 1], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>, tensor<3xi32>) -> tensor<6x?x?xi32>
  return
}

// -----

func.func @dynamic_gather_c4_unique(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>, %slice_sizes: tensor<3xi32>) {
  // expected-error@+2 {{expects offset_dims to not repeat, got: [1, 1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 1], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>, tensor<3xi32>) -> tensor<6x?x?xi32>
  return
}

// -----

func.func @dynamic_gather_c5(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>, %slice_sizes: tensor<3xi32>) {
  // expected-error@+2 {{Expects each element of offset_dims to be in range [0, implied-result-rank) i.e. [0, 3). got: 3.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>, tensor<3xi32>) -> tensor<6x?x?xi32>
  return
}

// -----

func.func @dynamic_gather_c6_sorted(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>, %slice_sizes: tensor<3xi32>) {
  // expected-error@+2 {{expects collapsed_slice_dims to be sorted, got: [1, 0]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1, 0], start_index_map = [1, 0], index_vector_dim = 1>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>, tensor<3xi32>) -> tensor<6x?xi32>
  return
}

// -----

func.func @dynamic_gather_c6_unique(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>, %slice_sizes: tensor<3xi32>) {
  // expected-error@+2 {{has duplicated dimension from collapsed_slice_dims and operand_batching_dims: 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1, 1], start_index_map = [1, 0], index_vector_dim = 1>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>, tensor<3xi32>) -> tensor<6x?xi32>
  return
}

// -----

func.func @dynamic_gather_c7(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>, %slice_sizes: tensor<3xi32>) {
  // expected-error@+2 {{Expects each element of collapsed_slice_dims to be in range [0, rank-of('operand')) i.e. [0, 3). got: 5.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [5], start_index_map = [1, 0], index_vector_dim = 1>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>, tensor<3xi32>) -> tensor<6x?x?xi32>
  return
}

// -----

func.func @dynamic_gather_c8(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>) {
  %slice_sizes = stablehlo.constant dense<[2, 2, 2]> : tensor<3xi64>
  // expected-error@+2 {{Expects that for each dim in collapsed_slice_dims, slice_sizes[dim] should be <= 1, but got 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>, tensor<3xi64>) -> tensor<6x2x2xi32>
  return
}

// -----

func.func @dynamic_gather_c9(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>, %slice_sizes: tensor<3xi32>) {
  // expected-error@+2 {{has duplicated dimension from start_index_map and operand_batching_dims: 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [1, 1], index_vector_dim = 1>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>, tensor<3xi32>) -> tensor<6x?x?xi32>
  return
}

// -----

func.func @dynamic_gather_c10(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>, %slice_sizes: tensor<3xi32>) {
  // expected-error@+2 {{Expects each element of start_index_map to be in range [0, rank-of('operand')) i.e. [0, 3). got: 4.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [1, 4], index_vector_dim = 1>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>, tensor<3xi32>) -> tensor<6x?x?xi32>
  return
}

// -----

func.func @dynamic_gather_c11(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>, %slice_sizes: tensor<2xi32>) {
  // expected-error@+2 {{slice_sizes size (2) not equal to operand rank (3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>, tensor<2xi32>) -> tensor<6x?x?xi32>
  return
}

// -----

func.func @dynamic_gather_c11_rank(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>, %slice_sizes: tensor<1x3xi32>) {
  // expected-error@+1 {{operand #2 must be statically shaped 1-dimensional integer tensor of}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>, tensor<1x3xi32>) -> tensor<6x?x?xi32>
  return
}

// -----

func.func @dynamic_gather_c12(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>) {
  %slice_sizes = stablehlo.constant dense<[1, 5, 2]> : tensor<3xi64>
  // expected-error@+2 {{slice size (5) is out of bounds for operand dimension (4) at index 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>, tensor<3xi64>) -> tensor<6x5x2xi32>
  return
}

// -----

func.func @dynamic_gather_c13(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>, %slice_sizes: tensor<3xi32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<6x?x?xi32>' are incompatible with return type(s) of operation 'tensor<5x?x?xi32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>, tensor<3xi32>) -> tensor<5x?x?xi32>
  return
}

// -----

func.func @dynamic_gather_c14(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>, %slice_sizes: tensor<3xi32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<6x?x?xi32>' are incompatible with return type(s) of operation 'tensor<6x?x?xi8>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>, tensor<3xi32>) -> tensor<6x?x?xi8>
  return
}
