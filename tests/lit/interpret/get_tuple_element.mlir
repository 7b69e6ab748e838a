// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_examples() {
  %val0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %val1 = stablehlo.constant dense<3> : tensor<i64>
  %inner = stablehlo.tuple %val1 : tuple<tensor<i64>>
  %operand = stablehlo.tuple %val0, %inner : tuple<tensor<2xf64>, tuple<tensor<i64>>>
  %first = stablehlo.get_tuple_element %operand[0] : (tuple<tensor<2xf64>, tuple<tensor<i64>>>) -> tensor<2xf64>
  check.expect_eq_const %first, dense<[1.0, 2.0]> : tensor<2xf64>
  %second = stablehlo.get_tuple_element %operand[1] : (tuple<tensor<2xf64>, tuple<tensor<i64>>>) -> tuple<tensor<i64>>
  %last = stablehlo.get_tuple_element %second[0] : (tuple<tensor<i64>>) -> tensor<i64>
  check.expect_eq_const %last, dense<3> : tensor<i64>
  return
}
