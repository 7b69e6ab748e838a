// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @integers_wrap_around() {
  %lhs = stablehlo.constant dense<[[4611686018427387904, 3]]> : tensor<1x2xi64>
  %rhs = stablehlo.constant dense<[[2], [5]]> : tensor<2x1xi64>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<1x2xi64>, tensor<2x1xi64>) -> tensor<1x1xi64>
  check.expect_eq_const %result, dense<[[-9223372036854775793]]> : tensor<1x1xi64>
  return
}
