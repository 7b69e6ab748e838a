// RUN: stablehlo-translate --interpret --split-input-file %s

// Lowered with shape.cstr_broadcastable, shape.assuming and shape.broadcast.
func.func @broadcasting() {
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %lhs = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<2xi64>) -> tensor<?x?xi64>
  %size = stablehlo.constant dense<[3]> : tensor<1xi64>
  %rhs = stablehlo.dynamic_iota %size, dim = 0 : (tensor<1xi64>) -> tensor<?xi64>
  %sum = chlo.broadcast_add %lhs, %rhs : (tensor<?x?xi64>, tensor<?xi64>) -> tensor<?x?xi64>
  %result = stablehlo.reshape %sum : (tensor<?x?xi64>) -> tensor<6xi64>
  check.expect_eq_const %result, dense<[0, 1, 2, 1, 2, 3]> : tensor<6xi64>
  return
}

// -----

func.func @computed_shapes() {
  %operand = stablehlo.constant dense<[[5, 6]]> : tensor<1x2xi64>
  %shape = shape.shape_of %operand : tensor<1x2xi64> -> tensor<2xindex>
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %width = tensor.dim %operand, %one : tensor<1x2xi64>
  %wanted = tensor.from_elements %four, %width : tensor<2xindex>
  %both = shape.broadcast %shape, %wanted : tensor<2xindex>, tensor<2xindex> -> tensor<2xindex>
  %result = stablehlo.dynamic_broadcast_in_dim %operand, %both, dims = [0, 1] : (tensor<1x2xi64>, tensor<2xindex>) -> tensor<4x2xi64>
  check.expect_eq_const %result, dense<[[5, 6], [5, 6], [5, 6], [5, 6]]> : tensor<4x2xi64>
  %extent = tensor.extract %both[%one] : tensor<2xindex>
  %count = shape.num_elements %both : tensor<2xindex> -> index
  %numbers = tensor.from_elements %extent, %count : tensor<2xindex>
  %integers = arith.index_cast %numbers : tensor<2xindex> to tensor<2xi64>
  check.expect_eq_const %integers, dense<[2, 8]> : tensor<2xi64>
  return
}

// -----

func.func @constraints_that_hold() {
  %shape = shape.const_shape [2, 3] : tensor<2xindex>
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %other = shape.shape_of %operand : tensor<2x3xi64> -> tensor<2xindex>
  %tensor = shape.to_extent_tensor %other : tensor<2xindex> -> tensor<2xindex>
  %equal = shape.cstr_eq %shape, %tensor : tensor<2xindex>, tensor<2xindex>
  %same = shape.shape_eq %shape, %other : tensor<2xindex>, tensor<2xindex>
  %required = shape.cstr_require %same, "the shapes differ"
  %stated = shape.const_witness true
  %all = shape.assuming_all %equal, %required, %stated
  %result = shape.assuming %all -> tensor<2x3xi64> {
    %doubled = stablehlo.add %operand, %operand : tensor<2x3xi64>
    shape.assuming_yield %doubled : tensor<2x3xi64>
  }
  check.expect_eq_const %result, dense<[[2, 4, 6], [8, 10, 12]]> : tensor<2x3xi64>
  %one = arith.constant 1 : index
  %size = shape.get_extent %shape, %one : tensor<2xindex>, index -> index
  %rank = shape.rank %shape : tensor<2xindex> -> index
  %numbers = tensor.from_elements %size, %rank : tensor<2xindex>
  %integers = arith.index_cast %numbers : tensor<2xindex> to tensor<2xi64>
  check.expect_eq_const %integers, dense<[3, 2]> : tensor<2xi64>
  return
}
