// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %input = stablehlo.constant dense<[
    [[[1, 2], [3, 4], [5, 6], [7, 8]], [[9, 10], [11, 12], [13, 14], [15, 16]], [[17, 18], [19, 20], [21, 22], [23, 24]]],
    [[[25, 26], [27, 28], [29, 30], [31, 32]], [[33, 34], [35, 36], [37, 38], [39, 40]], [[41, 42], [43, 44], [45, 46], [47, 48]]]
  ]> : tensor<2x3x4x2xi64>
  %scatter_indices = stablehlo.constant dense<[
    [[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]],
    [[[0, 0], [2, 1], [2, 2]], [[1, 2], [0, 1], [1, 0]]]
  ]> : tensor<2x2x3x2xi64>
  %update = stablehlo.constant dense<1> : tensor<2x2x3x2x2xi64>
  %result = "stablehlo.scatter"(%input, %scatter_indices, %update) ({
    ^bb0(%old: tensor<i64>, %new: tensor<i64>):
      %sum = stablehlo.add %old, %new : tensor<i64>
      stablehlo.return %sum : tensor<i64>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [3, 4],
      inserted_window_dims = [1],
      input_batching_dims = [0],
      scatter_indices_batching_dims = [1],
      scatter_dims_to_operand_dims = [2, 1],
      index_vector_dim = 3>,
    indices_are_sorted = false,
    unique_indices = false
  } : (tensor<2x3x4x2xi64>, tensor<2x2x3x2xi64>, tensor<2x2x3x2x2xi64>) -> tensor<2x3x4x2xi64>
  check.expect_eq_const %result, dense<[
    [[[3, 4], [6, 7], [6, 7], [7, 8]], [[9, 10], [11, 12], [15, 16], [17, 18]], [[17, 18], [19, 20], [22, 23], [24, 25]]],
    [[[25, 26], [28, 29], [30, 31], [31, 32]], [[35, 36], [38, 39], [38, 39], [39, 40]], [[41, 42], [44, 45], [46, 47], [47, 48]]]
  ]> : tensor<2x3x4x2xi64>
  return
}

// -----

// The indices are unique, as the order of updates to the same element is the implementation's choice.
func.func @replace() {
  %input = stablehlo.constant dense<[10, 20, 30, 40]> : tensor<4xi64>
  %scatter_indices = stablehlo.constant dense<[3, -1, 0, 4]> : tensor<4xi64>
  %update = stablehlo.constant dense<[1, 2, 3, 5]> : tensor<4xi64>
  %result = "stablehlo.scatter"(%input, %scatter_indices, %update) ({
    ^bb0(%old: tensor<i64>, %new: tensor<i64>):
      stablehlo.return %new : tensor<i64>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>,
    unique_indices = true
  } : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  check.expect_eq_const %result, dense<[3, 20, 30, 1]> : tensor<4xi64>
  return
}

// -----

func.func @several_inputs_and_a_body_of_several_ops() {
  %input0 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %input1 = stablehlo.constant dense<[10, 20]> : tensor<2xi64>
  %scatter_indices = stablehlo.constant dense<[[1], [1], [0], [1]]> : tensor<4x1xi64>
  %update0 = stablehlo.constant dense<[5, 6, 7, 8]> : tensor<4xi64>
  %update1 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %result:2 = "stablehlo.scatter"(%input0, %input1, %scatter_indices, %update0, %update1) ({
    ^bb0(%old0: tensor<i64>, %old1: tensor<i64>, %new0: tensor<i64>, %new1: tensor<i64>):
      %largest = stablehlo.maximum %old0, %new0 : tensor<i64>
      %twice = stablehlo.add %new1, %new1 : tensor<i64>
      %sum = stablehlo.add %old1, %twice : tensor<i64>
      stablehlo.return %largest, %sum : tensor<i64>, tensor<i64>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<2xi64>, tensor<2xi64>, tensor<4x1xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<2xi64>, tensor<2xi64>)
  check.expect_eq_const %result#0, dense<[7, 8]> : tensor<2xi64>
  check.expect_eq_const %result#1, dense<[16, 34]> : tensor<2xi64>
  return
}

// -----

func.func @promoted() {
  %input = stablehlo.constant dense<[100, 1]> : tensor<2xi8>
  %scatter_indices = stablehlo.constant dense<[[0]]> : tensor<1x1xi64>
  %update = stablehlo.constant dense<[100]> : tensor<1xi8>
  %result = "stablehlo.scatter"(%input, %scatter_indices, %update) ({
    ^bb0(%old: tensor<i32>, %new: tensor<i32>):
      %sum = stablehlo.add %old, %new : tensor<i32>
      stablehlo.return %sum : tensor<i32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<2xi8>, tensor<1x1xi64>, tensor<1xi8>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[200, 1]> : tensor<2xi32>
  return
}
