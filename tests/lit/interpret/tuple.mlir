// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @of_one_and_of_none() {
  %value = stablehlo.constant dense<[-1, 1]> : tensor<2xi64>
  %none = stablehlo.tuple  : tuple<>
  %operand = stablehlo.tuple %none, %value : tuple<tuple<>, tensor<2xi64>>
  %result = stablehlo.get_tuple_element %operand[1] : (tuple<tuple<>, tensor<2xi64>>) -> tensor<2xi64>
  check.expect_eq_const %result, dense<[-1, 1]> : tensor<2xi64>
  return
}
