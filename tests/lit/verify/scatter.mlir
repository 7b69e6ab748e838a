// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @scatter(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x3xf32>) {
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<7x3xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @scatter_c12_c18_batching(%inputs: tensor<6x4x3xf32>, %scatter_indices: tensor<7x6xi32>, %updates: tensor<7x6x3xf32>) {
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>
  } : (tensor<6x4x3xf32>, tensor<7x6xi32>, tensor<7x6x3xf32>) -> tensor<6x4x3xf32>
  return
}

// -----

func.func @scatter_c24_dynamic(%inputs: tensor<?x4x?xf32>, %scatter_indices: tensor<?x2xi64>, %updates: tensor<7x?xf32>) {
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<?x4x?xf32>, tensor<?x2xi64>, tensor<7x?xf32>) -> tensor<5x?x3xf32>
  return
}

// -----

func.func @scatter_c24_bounded(%inputs: tensor<?x4x3xf32, #stablehlo.bounds<5, ?, ?>>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x3xf32>) {
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<?x4x3xf32, #stablehlo.bounds<5, ?, ?>>, tensor<7x2xi64>, tensor<7x3xf32>) -> tensor<?x4x3xf32, #stablehlo.bounds<5, ?, ?>>
  return
}

// -----

// The computation may work in a wider type, which then is the result's.
func.func @scatter_c23_c25_promotion(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x3xf32>) {
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f64>, %rhs: tensor<f64>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f64>
      stablehlo.return %sum : tensor<f64>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<7x3xf32>) -> tensor<5x4x3xf64>
  return
}

// -----

func.func @scatter_c5_several(%inputs0: tensor<5x3xf32>, %inputs1: tensor<5x3xi8>, %scatter_indices: tensor<7x1xi64>, %updates0: tensor<7x3xf32>, %updates1: tensor<7x3xi8>) {
  %0:2 = "stablehlo.scatter"(%inputs0, %inputs1, %scatter_indices, %updates0, %updates1) ({
    ^bb0(%a: tensor<f32>, %b: tensor<i8>, %c: tensor<f32>, %d: tensor<i8>):
      stablehlo.return %a, %d : tensor<f32>, tensor<i8>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<5x3xf32>, tensor<5x3xi8>, tensor<7x1xi64>, tensor<7x3xf32>, tensor<7x3xi8>) -> (tensor<5x3xf32>, tensor<5x3xi8>)
  return
}

// -----

func.func @scatter_c1(%inputs0: tensor<5x3xf32>, %inputs1: tensor<5x4xi8>, %scatter_indices: tensor<7x1xi64>, %updates0: tensor<7x3xf32>, %updates1: tensor<7x3xi8>) {
  // expected-error@+1 {{Not all inputs have compatible shapes.}}
  %0:2 = "stablehlo.scatter"(%inputs0, %inputs1, %scatter_indices, %updates0, %updates1) ({
    ^bb0(%a: tensor<f32>, %b: tensor<i8>, %c: tensor<f32>, %d: tensor<i8>):
      stablehlo.return %a, %d : tensor<f32>, tensor<i8>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<5x3xf32>, tensor<5x4xi8>, tensor<7x1xi64>, tensor<7x3xf32>, tensor<7x3xi8>) -> (tensor<5x3xf32>, tensor<5x4xi8>)
  return
}

// -----

func.func @scatter_c2(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7xf32>) {
  // expected-error@+1 {{Expects rank-of operand to match size-of('update_window_dims') + size-of('inserted_window_dims') + size-of('input_batching_dims') i.e. 2 but got 3.}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<7xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @scatter_c3(%inputs0: tensor<5x3xf32>, %inputs1: tensor<5x3xi8>, %scatter_indices: tensor<7x1xi64>, %updates0: tensor<7x3xf32>, %updates1: tensor<7x2xi8>) {
  // expected-error@+1 {{Not all updates have compatible shapes.}}
  %0:2 = "stablehlo.scatter"(%inputs0, %inputs1, %scatter_indices, %updates0, %updates1) ({
    ^bb0(%a: tensor<f32>, %b: tensor<i8>, %c: tensor<f32>, %d: tensor<i8>):
      stablehlo.return %a, %d : tensor<f32>, tensor<i8>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<5x3xf32>, tensor<5x3xi8>, tensor<7x1xi64>, tensor<7x3xf32>, tensor<7x2xi8>) -> (tensor<5x3xf32>, tensor<5x3xi8>)
  return
}

// -----

func.func @scatter_c4_rank(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x1x3xf32>) {
  // expected-error@+1 {{expects updates tensor must be of rank 2 ( == rank-of('scatter_indices') - 1 + size-of('update_window_dims'), where 'scatter_indices' is expanded by a trailing 1 dimension if 'index_vector_dim' == rank-of('scatter_indices')), but got 3.}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<7x1x3xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @scatter_c4_window(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x4xf32>) {
  // expected-error@+1 {{expects bounds of the window dimensions of updates to not exceed the bounds of the corresponding dimensions of operand. For dimension 1, updates bound is 4, operand bound is 3.}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<7x4xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @scatter_c4_scatter(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<6x3xf32>) {
  // expected-error@+1 {{expects bounds of the scatter dimensions of updates to be same as the bounds of the corresponding dimensions of scatter indices. For scatter dimension 0, updates bound is 6 , scatter_indices bound is 7.}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<6x3xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @scatter_c6(%inputs0: tensor<5x3xf32>, %inputs1: tensor<5x3xi8>, %scatter_indices: tensor<7x1xi64>, %updates0: tensor<7x3xf32>, %updates1: tensor<7x3xi16>) {
  // expected-error@+1 {{The element-type of reduction-region's result type at index 1 is expected to be promotable from the op's corresponding init-value element-type: 'tensor<i8>' vs 'tensor<i16>'}}
  %0:2 = "stablehlo.scatter"(%inputs0, %inputs1, %scatter_indices, %updates0, %updates1) ({
    ^bb0(%a: tensor<f32>, %b: tensor<i8>, %c: tensor<f32>, %d: tensor<i8>):
      stablehlo.return %a, %d : tensor<f32>, tensor<i8>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<5x3xf32>, tensor<5x3xi8>, tensor<7x1xi64>, tensor<7x3xf32>, tensor<7x3xi16>) -> (tensor<5x3xf32>, tensor<5x3xi8>)
  return
}

// -----

func.func @scatter_c5(%scatter_indices: tensor<7x2xi64>) {
  // expected-error@+1 {{The reduction-region expected to return some value(s)}}
  %0 = "stablehlo.scatter"(%scatter_indices) ({
    ^bb0:
      stablehlo.return
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<7x2xi64>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @scatter_c7_sorted(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x1xi64>, %updates: tensor<7x4x3xf32>) {
  // expected-error@+1 {{Expects update_window_dims to be sorted; got: [2, 1].}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x1xi64>, tensor<7x4x3xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @scatter_c7_unique(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x1xi64>, %updates: tensor<7x4x3xf32>) {
  // expected-error@+1 {{Expects update_window_dims to not repeat; got: [1, 1].}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x1xi64>, tensor<7x4x3xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @scatter_c8(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x3xf32>) {
  // expected-error@+1 {{Expects each element of update_window_dims to be in range [0, rank-of('updates')) i.e. [0, 2). got: 2.}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<7x3xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @scatter_c8_negative(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x3xf32>) {
  // expected-error@+1 {{Expects each element of update_window_dims to be in range [0, rank-of('updates')) i.e. [0, 2). got: -1.}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [-1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<7x3xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @scatter_c9(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x3xf32>) {
  // expected-error@+1 {{has duplicated dimension from inserted_window_dims and input_batching_dims: 0}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<7x3xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @scatter_c9_batching(%inputs: tensor<6x4x3xf32>, %scatter_indices: tensor<7x6xi32>, %updates: tensor<7x6x3xf32>) {
  // expected-error@+1 {{has duplicated dimension from inserted_window_dims and input_batching_dims: 0}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>
  } : (tensor<6x4x3xf32>, tensor<7x6xi32>, tensor<7x6x3xf32>) -> tensor<6x4x3xf32>
  return
}

// -----

func.func @scatter_c10(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x3xf32>) {
  // expected-error@+1 {{Expects inserted_window_dims to be sorted; got: [1, 0].}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [1, 0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<7x3xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @scatter_c11(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x3xf32>) {
  // expected-error@+1 {{Expects each element of inserted_window_dims to be in range [0, rank-of('operand')) i.e. [0, 3). got: 3.}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 3], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<7x3xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @scatter_c11_negative(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x3xf32>) {
  // expected-error@+1 {{Expects each element of inserted_window_dims to be in range [0, rank-of('operand')) i.e. [0, 3). got: -1.}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [-1, 0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<7x3xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @scatter_c12(%inputs: tensor<6x4x3xf32>, %scatter_indices: tensor<4x6xi32>, %updates: tensor<4x6x3xf32>) {
  // expected-error@+1 {{Expects input_batching_dims to be sorted; got: [1, 0].}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [], input_batching_dims = [1, 0], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>
  } : (tensor<6x4x3xf32>, tensor<4x6xi32>, tensor<4x6x3xf32>) -> tensor<6x4x3xf32>
  return
}

// -----

func.func @scatter_c13(%inputs: tensor<6x4x3xf32>, %scatter_indices: tensor<7x6xi32>, %updates: tensor<7x6x3xf32>) {
  // expected-error@+1 {{Expects each element of input_batching_dims to be in range [0, rank-of('operand')) i.e. [0, 3). got: 3.}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [3], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>
  } : (tensor<6x4x3xf32>, tensor<7x6xi32>, tensor<7x6x3xf32>) -> tensor<6x4x3xf32>
  return
}

// -----

func.func @scatter_c13_negative(%inputs: tensor<6x4x3xf32>, %scatter_indices: tensor<7x6xi32>, %updates: tensor<7x6x3xf32>) {
  // expected-error@+1 {{Expects each element of input_batching_dims to be in range [0, rank-of('operand')) i.e. [0, 3). got: -1.}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [-1], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>
  } : (tensor<6x4x3xf32>, tensor<7x6xi32>, tensor<7x6x3xf32>) -> tensor<6x4x3xf32>
  return
}

// -----

func.func @scatter_c14(%inputs: tensor<6x6x3xf32>, %scatter_indices: tensor<4x6xi32>, %updates: tensor<4x6x3xf32>) {
  // expected-error@+1 {{Expects scatter_indices_batching_dims to not repeat; got: [1, 1].}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [], input_batching_dims = [0, 1], scatter_indices_batching_dims = [1, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>
  } : (tensor<6x6x3xf32>, tensor<4x6xi32>, tensor<4x6x3xf32>) -> tensor<6x6x3xf32>
  return
}

// -----

func.func @scatter_c15(%inputs: tensor<6x4x3xf32>, %scatter_indices: tensor<7x6xi32>, %updates: tensor<7x6x3xf32>) {
  // expected-error@+1 {{Expects each element of scatter_indices_batching_dims to be in range [0, rank-of('scatter_indices')) i.e. [0, 3). got: 3.}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [3], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>
  } : (tensor<6x4x3xf32>, tensor<7x6xi32>, tensor<7x6x3xf32>) -> tensor<6x4x3xf32>
  return
}

// -----

func.func @scatter_c15_negative(%inputs: tensor<6x4x3xf32>, %scatter_indices: tensor<7x6xi32>, %updates: tensor<7x6x3xf32>) {
  // expected-error@+1 {{Expects each element of scatter_indices_batching_dims to be in range [0, rank-of('scatter_indices')) i.e. [0, 3). got: -1.}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [-1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>
  } : (tensor<6x4x3xf32>, tensor<7x6xi32>, tensor<7x6x3xf32>) -> tensor<6x4x3xf32>
  return
}

// -----

func.func @scatter_c16(%inputs: tensor<6x4x3xf32>, %scatter_indices: tensor<7x6x1xi32>, %updates: tensor<7x6x3xf32>) {
  // expected-error@+1 {{expects scatter_indices_batching_dims not to include index_vector_dim 2.}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [2], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>
  } : (tensor<6x4x3xf32>, tensor<7x6x1xi32>, tensor<7x6x3xf32>) -> tensor<6x4x3xf32>
  return
}

// -----

func.func @scatter_c17(%inputs: tensor<6x4x3xf32>, %scatter_indices: tensor<7x6xi32>, %updates: tensor<7x6x3xf32>) {
  // expected-error@+1 {{input_batching_dims and scatter_indices_batching_dims should have the same size.}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>
  } : (tensor<6x4x3xf32>, tensor<7x6xi32>, tensor<7x6x3xf32>) -> tensor<6x4x3xf32>
  return
}

// -----

func.func @scatter_c18(%inputs: tensor<6x4x3xf32>, %scatter_indices: tensor<7x5xi32>, %updates: tensor<7x5x3xf32>) {
  // expected-error@+1 {{input_batching_dims[0] and scatter_indices_batching_dims[0] must have compatible sizes, but got 6 and 5.}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>
  } : (tensor<6x4x3xf32>, tensor<7x5xi32>, tensor<7x5x3xf32>) -> tensor<6x4x3xf32>
  return
}

// -----

func.func @scatter_c19(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x3xf32>) {
  // expected-error@+1 {{Scatter op has 1 elements in scatter_dims_to_operand_dims and the bound of dimension index_vector_dim=1 of scatter_indices is 2. These two numbers must be equal.}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<7x3xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @scatter_c19_implicit(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7xi64>, %updates: tensor<7x3xf32>) {
  // expected-error@+1 {{Scatter op has 2 elements in scatter_dims_to_operand_dims and the bound of dimension index_vector_dim=1 of scatter_indices is 1. These two numbers must be equal.}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7xi64>, tensor<7x3xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @scatter_c20(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x3xf32>) {
  // expected-error@+1 {{has duplicated dimension from scatter_dims_to_operand_dims and input_batching_dims: 1}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1, 1], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<7x3xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @scatter_c20_batching(%inputs: tensor<6x4x3xf32>, %scatter_indices: tensor<7x6xi32>, %updates: tensor<7x6x3xf32>) {
  // expected-error@+1 {{has duplicated dimension from scatter_dims_to_operand_dims and input_batching_dims: 0}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>
  } : (tensor<6x4x3xf32>, tensor<7x6xi32>, tensor<7x6x3xf32>) -> tensor<6x4x3xf32>
  return
}

// -----

func.func @scatter_c21(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x3xf32>) {
  // expected-error@+1 {{Expects each element of scatter_dims_to_operand_dims to be in range [0, rank-of('operand')) i.e. [0, 3). got: 3.}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 3], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<7x3xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @scatter_c21_negative(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x3xf32>) {
  // expected-error@+1 {{Expects each element of scatter_dims_to_operand_dims to be in range [0, rank-of('operand')) i.e. [0, 3). got: -1.}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [-1, 0], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<7x3xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @scatter_c22(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x3xf32>) {
  // expected-error@+1 {{Expects index_vector_dim to be in range [0, rank-of('scatter_indices')] i.e. [0, 2]. got: 3.}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 3>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<7x3xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @scatter_c22_negative(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x3xf32>) {
  // expected-error@+1 {{Expects index_vector_dim to be in range [0, rank-of('scatter_indices')] i.e. [0, 2]. got: -1.}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = -1>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<7x3xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @scatter_c23_arity(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x3xf32>) {
  // expected-error@+1 {{Reduction-region must take 2 parameters, but takes 1 parameter(s)}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>):
      stablehlo.return %lhs : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<7x3xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @scatter_c23_results(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x3xf32>) {
  // expected-error@+1 {{Reduction-region here must produce 1 tensors, but produces 2 instead}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return %lhs, %rhs : tensor<f32>, tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<7x3xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @scatter_c23_result_type(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x3xf32>) {
  // expected-error@+1 {{The type of reduction-region's parameter at index 0 is different than the corresponding result type: 'tensor<f32>' vs 'tensor<i32>'}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %integer = stablehlo.convert %lhs : (tensor<f32>) -> tensor<i32>
      stablehlo.return %integer : tensor<i32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<7x3xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @scatter_c23_promotion_kind(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x3xf32>) {
  // expected-error@+1 {{The element-type of reduction-region's result type at index 0 is expected to be promotable from the op's corresponding init-value element-type: 'tensor<i32>' vs 'tensor<f32>'}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
      stablehlo.return %lhs : tensor<i32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<7x3xf32>) -> tensor<5x4x3xi32>
  return
}

// -----

func.func @scatter_c23_shape(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x3xf32>) {
  // expected-error@+1 {{The shape of reduction-region's result type at index 0 differs from the op's corresponding init-value type: 'tensor<2xf32>' vs 'tensor<f32>'}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<2xf32>, %rhs: tensor<2xf32>):
      stablehlo.return %lhs : tensor<2xf32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<7x3xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @scatter_c23_empty(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x3xf32>) {
  // expected-error@+1 {{The reduction-region expected to return some value(s)}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      stablehlo.return
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<7x3xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @scatter_c24(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x3xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<5x4x3xf32>' are incompatible with return type(s) of operation 'tensor<5x4x2xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<7x3xf32>) -> tensor<5x4x2xf32>
  return
}

// -----

func.func @scatter_c25(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x3xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<5x4x3xf32>' are incompatible with return type(s) of operation 'tensor<5x4x3xf64>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<7x3xf32>) -> tensor<5x4x3xf64>
  return
}

// -----

func.func @scatter_i2(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xf32>, %updates: tensor<7x3xf32>) {
  // expected-error@+1 {{operand #1 must be ranked tensor of}}
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x2xf32>, tensor<7x3xf32>) -> tensor<5x4x3xf32>
  return
}
