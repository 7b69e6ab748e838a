// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %result_true_branch = stablehlo.constant dense<10> : tensor<i32>
  %result_false_branch = stablehlo.constant dense<11> : tensor<i32>
  %pred = stablehlo.constant dense<true> : tensor<i1>
  %result = "stablehlo.if"(%pred) ({
    stablehlo.return %result_true_branch : tensor<i32>
  }, {
    stablehlo.return %result_false_branch : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  check.expect_eq_const %result, dense<10> : tensor<i32>
  return
}

// -----

func.func @both_branches() {
  %yes = stablehlo.constant dense<true> : tensor<i1>
  %no = stablehlo.constant dense<false> : tensor<i1>
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %b = stablehlo.constant dense<[30, 40]> : tensor<2xi64>
  %first:2 = "stablehlo.if"(%yes) ({
    stablehlo.return %a, %b : tensor<2xi64>, tensor<2xi64>
  }, {
    stablehlo.return %b, %a : tensor<2xi64>, tensor<2xi64>
  }) : (tensor<i1>) -> (tensor<2xi64>, tensor<2xi64>)
  %second = "stablehlo.if"(%no) ({
    stablehlo.return %a : tensor<2xi64>
  }, {
    %sum = stablehlo.add %a, %b : tensor<2xi64>
    stablehlo.return %sum : tensor<2xi64>
  }) : (tensor<i1>) -> tensor<2xi64>
  check.expect_eq_const %first#0, dense<[1, 2]> : tensor<2xi64>
  check.expect_eq_const %first#1, dense<[30, 40]> : tensor<2xi64>
  check.expect_eq_const %second, dense<[31, 42]> : tensor<2xi64>
  return
}
