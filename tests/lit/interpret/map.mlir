// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %input0 = stablehlo.constant dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>
  %input1 = stablehlo.constant dense<[[4, 5], [6, 7]]> : tensor<2x2xi64>
  %result = "stablehlo.map"(%input0, %input1) ({
  ^bb0(%lhs: tensor<i64>, %rhs: tensor<i64>):
    %product = stablehlo.multiply %lhs, %rhs : tensor<i64>
    stablehlo.return %product : tensor<i64>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[0, 5], [12, 21]]> : tensor<2x2xi64>
  return
}

// -----

func.func @another_result_type() {
  %input = stablehlo.constant dense<[1.5, -1.0, 0.0]> : tensor<3xf64>
  %result = "stablehlo.map"(%input) ({
  ^bb0(%element: tensor<f64>):
    %zero = stablehlo.constant dense<0.0> : tensor<f64>
    %is_positive = stablehlo.compare GT, %element, %zero : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %is_positive : tensor<i1>
  }) {dimensions = array<i64: 0>} : (tensor<3xf64>) -> tensor<3xi1>
  check.expect_eq_const %result, dense<[true, false, false]> : tensor<3xi1>
  return
}

// -----

func.func @not_elementwise() {
  %input = stablehlo.constant dense<[3, 0, 5]> : tensor<3xi64>
  %result = "stablehlo.map"(%input) ({
  ^bb0(%element: tensor<i64>):
    %zero = stablehlo.constant dense<0> : tensor<i64>
    %is_zero = stablehlo.compare EQ, %element, %zero : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %chosen = "stablehlo.if"(%is_zero) ({
      %minus_one = stablehlo.constant dense<-1> : tensor<i64>
      stablehlo.return %minus_one : tensor<i64>
    }, {
      stablehlo.return %element : tensor<i64>
    }) : (tensor<i1>) -> tensor<i64>
    stablehlo.return %chosen : tensor<i64>
  }) {dimensions = array<i64: 0>} : (tensor<3xi64>) -> tensor<3xi64>
  check.expect_eq_const %result, dense<[3, -1, 5]> : tensor<3xi64>
  return
}
