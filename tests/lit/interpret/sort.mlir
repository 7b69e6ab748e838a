// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %input0 = stablehlo.constant dense<[[1, 2, 3], [3, 2, 1]]> : tensor<2x3xi64>
  %input1 = stablehlo.constant dense<[[3, 2, 1], [1, 2, 3]]> : tensor<2x3xi64>
  %result:2 = "stablehlo.sort"(%input0, %input1) ({
    ^bb0(%x0: tensor<i64>, %y0: tensor<i64>, %x1: tensor<i64>, %y1: tensor<i64>):
      %greater = stablehlo.compare GT, %x0, %y0 : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %greater : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<2x3xi64>, tensor<2x3xi64>) -> (tensor<2x3xi64>, tensor<2x3xi64>)
  check.expect_eq_const %result#0, dense<[[3, 2, 3], [1, 2, 1]]> : tensor<2x3xi64>
  check.expect_eq_const %result#1, dense<[[1, 2, 1], [3, 2, 3]]> : tensor<2x3xi64>
  return
}

// -----

func.func @total_order() {
  %input = stablehlo.constant dense<[0x7FF8000000000000, 0.0, -0.0, 1.0, 0xFFF0000000000000]> : tensor<5xf64>
  %result = "stablehlo.sort"(%input) ({
    ^bb0(%x: tensor<f64>, %y: tensor<f64>):
      %less = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
  }) {dimension = -1 : i64} : (tensor<5xf64>) -> tensor<5xf64>
  // NaN equals nothing, so the bits are compared.
  %bits = stablehlo.bitcast_convert %result : (tensor<5xf64>) -> tensor<5xui64>
  %expected = stablehlo.constant dense<[0xFFF0000000000000, -0.0, 0.0, 1.0, 0x7FF8000000000000]> : tensor<5xf64>
  %expected_bits = stablehlo.bitcast_convert %expected : (tensor<5xf64>) -> tensor<5xui64>
  check.expect_eq %bits, %expected_bits : tensor<5xui64>
  return
}

// -----

func.func @two_keys_as_jax_writes_them() {
  %input0 = stablehlo.constant dense<[2.0, 1.0, -0.0, 2.0, 0.0]> : tensor<5xf64>
  %input1 = stablehlo.constant dense<[1, 5, 7, 0, 6]> : tensor<5xi64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %result:2 = "stablehlo.sort"(%input0, %input1) ({
    ^bb0(%x0: tensor<f64>, %y0: tensor<f64>, %x1: tensor<i64>, %y1: tensor<i64>):
      %x_is_zero = stablehlo.compare EQ, %x0, %zero : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %x = stablehlo.select %x_is_zero, %zero, %x0 : tensor<i1>, tensor<f64>
      %y_is_zero = stablehlo.compare EQ, %y0, %zero : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %y = stablehlo.select %y_is_zero, %zero, %y0 : tensor<i1>, tensor<f64>
      %less0 = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %equal0 = stablehlo.compare EQ, %x, %y, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %less1 = stablehlo.compare LT, %x1, %y1 : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %both = stablehlo.and %equal0, %less1 : tensor<i1>
      %less = stablehlo.or %less0, %both : tensor<i1>
      stablehlo.return %less : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<5xf64>, tensor<5xi64>) -> (tensor<5xf64>, tensor<5xi64>)
  check.expect_eq_const %result#0, dense<[0.0, -0.0, 1.0, 2.0, 2.0]> : tensor<5xf64>
  check.expect_eq_const %result#1, dense<[6, 7, 5, 0, 1]> : tensor<5xi64>
  return
}

// -----

func.func @by_distance() {
  %input = stablehlo.constant dense<[[9, 4, 6, 1, 5, 7]]> : tensor<1x6xi64>
  %center = stablehlo.constant dense<5> : tensor<i64>
  %result = "stablehlo.sort"(%input) ({
    ^bb0(%x: tensor<i64>, %y: tensor<i64>):
      %from_x = stablehlo.subtract %x, %center : tensor<i64>
      %from_y = stablehlo.subtract %y, %center : tensor<i64>
      %x_distance = stablehlo.abs %from_x : tensor<i64>
      %y_distance = stablehlo.abs %from_y : tensor<i64>
      %not_less = stablehlo.compare GE, %x_distance, %y_distance : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %less = stablehlo.not %not_less : tensor<i1>
      stablehlo.return %less : tensor<i1>
  }) {dimension = 1 : i64, is_stable = true} : (tensor<1x6xi64>) -> tensor<1x6xi64>
  check.expect_eq_const %result, dense<[[5, 4, 6, 7, 9, 1]]> : tensor<1x6xi64>
  return
}
