// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %pred = stablehlo.constant dense<[[false, true], [true, false]]> : tensor<2x2xi1>
  %on_true = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %on_false = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<2x2xi1>, tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[5, 2], [3, 8]]> : tensor<2x2xi32>
  return
}

// -----

func.func @scalar_pred() {
  %pred = stablehlo.constant dense<true> : tensor<i1>
  %on_true = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %on_false = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<i1>, tensor<2xi64>
  check.expect_eq_const %result, dense<[1, 2]> : tensor<2xi64>
  return
}

// -----

func.func @scalar_pred_is_false() {
  %pred = stablehlo.constant dense<false> : tensor<i1>
  %on_true = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %on_false = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<i1>, tensor<2xi64>
  check.expect_eq_const %result, dense<[3, 4]> : tensor<2xi64>
  return
}

// -----

func.func @wide_elements() {
  %pred = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %on_true = stablehlo.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f64>>
  %on_false = stablehlo.constant dense<[(5.0, 6.0), (7.0, 8.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<2xi1>, tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(1.0, 2.0), (7.0, 8.0)]> : tensor<2xcomplex<f64>>
  return
}
