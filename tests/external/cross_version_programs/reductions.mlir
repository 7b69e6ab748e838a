// Reductions over one and several operands, windows, and a stable sort.
func.func @main() -> (tensor<3xf32>, tensor<i32>, tensor<2x2xf32>, tensor<6xi32>) {
  %x = stablehlo.constant dense<[[1.0, -2.0, 3.5, 0.25], [4.0, 8.0, -1.0, 2.0], [0.5, 0.75, 9.0, -3.0]]> : tensor<3x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %first = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
  %positions = stablehlo.iota dim = 0 : tensor<3xi32>
  %1:2 = "stablehlo.reduce"(%0, %positions, %lowest, %first) <{dimensions = array<i64: 0>}> ({
  ^bb0(%value: tensor<f32>, %position: tensor<i32>, %other: tensor<f32>, %other_position: tensor<i32>):
    %4 = stablehlo.compare GE, %value, %other : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %5 = stablehlo.select %4, %value, %other : tensor<i1>, tensor<f32>
    %6 = stablehlo.select %4, %position, %other_position : tensor<i1>, tensor<i32>
    stablehlo.return %5, %6 : tensor<f32>, tensor<i32>
  }) : (tensor<3xf32>, tensor<3xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
  %2 = "stablehlo.reduce_window"(%x, %lowest) <{padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
    %7 = stablehlo.maximum %lhs, %rhs : tensor<f32>
    stablehlo.return %7 : tensor<f32>
  }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<2x2xf32>
  %keys = stablehlo.constant dense<[3, 1, 2, 1, 3, 0]> : tensor<6xi32>
  %order = stablehlo.iota dim = 0 : tensor<6xi32>
  %3:2 = "stablehlo.sort"(%keys, %order) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>, %lhs_order: tensor<i32>, %rhs_order: tensor<i32>):
    %8 = stablehlo.compare LT, %lhs, %rhs : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %8 : tensor<i1>
  }) : (tensor<6xi32>, tensor<6xi32>) -> (tensor<6xi32>, tensor<6xi32>)
  return %0, %1#1, %2, %3#1 : tensor<3xf32>, tensor<i32>, tensor<2x2xf32>, tensor<6xi32>
}
