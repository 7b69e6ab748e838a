// RUN: stablehlo-translate --interpret --split-input-file %s

// The spec's %val0 is a buffer.
func.func @spec_example() {
  %val0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %part = stablehlo.constant dense<3> : tensor<i32>
  %val1 = stablehlo.tuple %part : tuple<tensor<i32>>
  %result = stablehlo.tuple %val0, %val1 : tuple<tensor<2xf32>, tuple<tensor<i32>>>
  %first = stablehlo.get_tuple_element %result[0] : (tuple<tensor<2xf32>, tuple<tensor<i32>>>) -> tensor<2xf32>
  check.expect_eq_const %first, dense<[1.0, 2.0]> : tensor<2xf32>
  %second = stablehlo.get_tuple_element %result[1] : (tuple<tensor<2xf32>, tuple<tensor<i32>>>) -> tuple<tensor<i32>>
  %inner = stablehlo.get_tuple_element %second[0] : (tuple<tensor<i32>>) -> tensor<i32>
  check.expect_eq_const %inner, dense<3> : tensor<i32>
  return
}

// -----

func.func @of_one_and_of_none() {
  %value = stablehlo.constant dense<[-1, 1]> : tensor<2xi64>
  %none = stablehlo.tuple  : tuple<>
  %operand = stablehlo.tuple %none, %value : tuple<tuple<>, tensor<2xi64>>
  %result = stablehlo.get_tuple_element %operand[1] : (tuple<tuple<>, tensor<2xi64>>) -> tensor<2xi64>
  check.expect_eq_const %result, dense<[-1, 1]> : tensor<2xi64>
  return
}
