// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %input = stablehlo.constant dense<[[0, 1, 2, 3, 4, 5]]> : tensor<1x6xi64>
  %init_value = stablehlo.constant dense<0> : tensor<i64>
  %result = stablehlo.reduce(%input init: %init_value) applies stablehlo.add across dimensions = [1] : (tensor<1x6xi64>, tensor<i64>) -> tensor<1xi64>
  check.expect_eq_const %result, dense<[15]> : tensor<1xi64>
  return
}

// -----

func.func @largest_and_its_index() {
  %values = stablehlo.constant dense<[[3.0, 9.0, -1.0, 9.0], [4.0, 4.0, 4.0, 5.0]]> : tensor<2x4xf64>
  %indices = stablehlo.constant dense<[[0, 1, 2, 3], [0, 1, 2, 3]]> : tensor<2x4xi64>
  %lowest = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %none = stablehlo.constant dense<-1> : tensor<i64>
  %result:2 = stablehlo.reduce(%values init: %lowest), (%indices init: %none) across dimensions = [1] : (tensor<2x4xf64>, tensor<2x4xi64>, tensor<f64>, tensor<i64>) -> (tensor<2xf64>, tensor<2xi64>)
    reducer(%x: tensor<f64>, %y: tensor<f64>) (%i: tensor<i64>, %j: tensor<i64>) {
      %first = stablehlo.compare GE, %x, %y : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %value = stablehlo.select %first, %x, %y : tensor<i1>, tensor<f64>
      %index = stablehlo.select %first, %i, %j : tensor<i1>, tensor<i64>
      stablehlo.return %value, %index : tensor<f64>, tensor<i64>
    }
  check.expect_eq_const %result#0, dense<[9.0, 5.0]> : tensor<2xf64>
  check.expect_eq_const %result#1, dense<[1, 3]> : tensor<2xi64>
  return
}

// -----

func.func @promoted() {
  %input = stablehlo.constant dense<[100, 100, 27]> : tensor<3xi8>
  %init_value = stablehlo.constant dense<1> : tensor<i8>
  %result = stablehlo.reduce(%input init: %init_value) across dimensions = [0] : (tensor<3xi8>, tensor<i8>) -> tensor<i32>
    reducer(%x: tensor<i32>, %y: tensor<i32>) {
      %sum = stablehlo.add %x, %y : tensor<i32>
      stablehlo.return %sum : tensor<i32>
    }
  check.expect_eq_const %result, dense<228> : tensor<i32>
  return
}

// -----

func.func @zeros_of_both_signs() {
  %input = stablehlo.constant dense<[[-0.0, 0.0], [-0.0, -0.0]]> : tensor<2x2xf64>
  %init_value = stablehlo.constant dense<-1.0> : tensor<f64>
  %result = stablehlo.reduce(%input init: %init_value) applies stablehlo.maximum across dimensions = [1] : (tensor<2x2xf64>, tensor<f64>) -> tensor<2xf64>
  check.expect_eq_const %result, dense<[0.0, -0.0]> : tensor<2xf64>
  return
}

// -----

func.func @nothing_to_reduce() {
  %input = stablehlo.constant dense<> : tensor<2x0xi64>
  %init_value = stablehlo.constant dense<8> : tensor<i64>
  %result = stablehlo.reduce(%input init: %init_value) applies stablehlo.multiply across dimensions = [1] : (tensor<2x0xi64>, tensor<i64>) -> tensor<2xi64>
  check.expect_eq_const %result, dense<8> : tensor<2xi64>
  return
}

// -----

func.func @body_that_branches() {
  %input = stablehlo.constant dense<[4, 7, -2]> : tensor<3xi64>
  %init_value = stablehlo.constant dense<5> : tensor<i64>
  %result = stablehlo.reduce(%input init: %init_value) across dimensions = [0] : (tensor<3xi64>, tensor<i64>) -> tensor<i64>
    reducer(%x: tensor<i64>, %y: tensor<i64>) {
      %less = stablehlo.compare LT, %x, %y : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %smaller = "stablehlo.if"(%less) ({
        stablehlo.return %x : tensor<i64>
      }, {
        stablehlo.return %y : tensor<i64>
      }) : (tensor<i1>) -> tensor<i64>
      stablehlo.return %smaller : tensor<i64>
    }
  check.expect_eq_const %result, dense<-2> : tensor<i64>
  return
}
