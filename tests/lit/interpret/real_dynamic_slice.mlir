// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @with_strides() {
  %operand = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi64>
  %start_indices = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %limit_indices = stablehlo.constant dense<[2, 4]> : tensor<2xi64>
  %strides = stablehlo.constant dense<[1, 3]> : tensor<2xi64>
  %result = stablehlo.real_dynamic_slice %operand, %start_indices, %limit_indices, %strides : (tensor<2x4xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xi64>
  %static = stablehlo.reshape %result : (tensor<?x?xi64>) -> tensor<1x2xi64>
  check.expect_eq_const %static, dense<[[5, 8]]> : tensor<1x2xi64>
  return
}
