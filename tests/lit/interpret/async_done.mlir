// REQUIRES: stablehlo-1.15
// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @slice_at_the_side() {
  %operand = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi64>
  %future = "stablehlo.async_start"(%operand) ({
  ^body(%value: tensor<4xi64>):
    %part = stablehlo.slice %value [1:4:2] : (tensor<4xi64>) -> tensor<2xi64>
    stablehlo.return %part : tensor<2xi64>
  }) : (tensor<4xi64>) -> !stablehlo.future<tensor<2xi64>>
  %result = "stablehlo.async_done"(%future) : (!stablehlo.future<tensor<2xi64>>) -> tensor<2xi64>
  check.expect_eq_const %result, dense<[11, 13]> : tensor<2xi64>
  return
}
