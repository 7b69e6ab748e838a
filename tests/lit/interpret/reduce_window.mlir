// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %input = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %init_value = stablehlo.constant dense<0> : tensor<i64>
  %result = "stablehlo.reduce_window"(%input, %init_value) ({
    ^bb0(%x: tensor<i64>, %y: tensor<i64>):
      %sum = stablehlo.add %x, %y : tensor<i64>
      stablehlo.return %sum : tensor<i64>
  }) {
    window_dimensions = array<i64: 2, 1>,
    window_strides = array<i64: 4, 1>,
    base_dilations = array<i64: 2, 1>,
    window_dilations = array<i64: 3, 1>,
    padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<3x2xi64>, tensor<i64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[0, 0], [3, 4]]> : tensor<2x2xi64>
  return
}

// -----

// A window as long as the operand, padded before it: every sum so far.
func.func @cumulative_sum() {
  %input = stablehlo.constant dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]> : tensor<19xi64>
  %init_value = stablehlo.constant dense<0> : tensor<i64>
  %result = "stablehlo.reduce_window"(%input, %init_value) ({
    ^bb0(%x: tensor<i64>, %y: tensor<i64>):
      %sum = stablehlo.add %x, %y : tensor<i64>
      stablehlo.return %sum : tensor<i64>
  }) {
    window_dimensions = array<i64: 19>,
    padding = dense<[[18, 0]]> : tensor<1x2xi64>
  } : (tensor<19xi64>, tensor<i64>) -> tensor<19xi64>
  check.expect_eq_const %result, dense<[1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78, 91, 105, 120, 136, 153, 171, 190]> : tensor<19xi64>
  return
}

// -----

func.func @largest_and_its_index() {
  %values = stablehlo.constant dense<[2.0, 7.0, 7.0, 1.0, 3.0]> : tensor<5xf64>
  %indices = stablehlo.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi64>
  %lowest = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %none = stablehlo.constant dense<-1> : tensor<i64>
  %result:2 = "stablehlo.reduce_window"(%values, %indices, %lowest, %none) ({
    ^bb0(%x: tensor<f64>, %i: tensor<i64>, %y: tensor<f64>, %j: tensor<i64>):
      %first = stablehlo.compare GE, %x, %y : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %value = stablehlo.select %first, %x, %y : tensor<i1>, tensor<f64>
      %index = stablehlo.select %first, %i, %j : tensor<i1>, tensor<i64>
      stablehlo.return %value, %index : tensor<f64>, tensor<i64>
  }) {
    window_dimensions = array<i64: 3>,
    window_strides = array<i64: 2>
  } : (tensor<5xf64>, tensor<5xi64>, tensor<f64>, tensor<i64>) -> (tensor<2xf64>, tensor<2xi64>)
  check.expect_eq_const %result#0, dense<7.0> : tensor<2xf64>
  check.expect_eq_const %result#1, dense<[1, 2]> : tensor<2xi64>
  return
}

// -----

func.func @window_larger_than_its_operand() {
  %input = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %init_value = stablehlo.constant dense<0> : tensor<i64>
  %result = "stablehlo.reduce_window"(%input, %init_value) ({
    ^bb0(%x: tensor<i64>, %y: tensor<i64>):
      %sum = stablehlo.add %x, %y : tensor<i64>
      stablehlo.return %sum : tensor<i64>
  }) {window_dimensions = array<i64: 3>} : (tensor<2xi64>, tensor<i64>) -> tensor<0xi64>
  check.expect_eq_const %result, dense<> : tensor<0xi64>
  return
}

// -----

// The sum of 131 numbers in a row.
func.func @many_long_windows() {
  %input = stablehlo.iota dim = 0 : tensor<259xi64>
  %init_value = stablehlo.constant dense<0> : tensor<i64>
  %result = "stablehlo.reduce_window"(%input, %init_value) ({
    ^bb0(%x: tensor<i64>, %y: tensor<i64>):
      %list = stablehlo.reshape %x : (tensor<i64>) -> tensor<1xi64>
      %same = stablehlo.reshape %list : (tensor<1xi64>) -> tensor<i64>
      %sum = stablehlo.add %same, %y : tensor<i64>
      stablehlo.return %sum : tensor<i64>
  }) {window_dimensions = array<i64: 131>, window_strides = array<i64: 1>} : (tensor<259xi64>, tensor<i64>) -> tensor<129xi64>
  %number = stablehlo.iota dim = 0 : tensor<129xi64>
  %step = stablehlo.constant dense<131> : tensor<129xi64>
  %first = stablehlo.constant dense<8515> : tensor<129xi64>
  %steps = stablehlo.multiply %number, %step : tensor<129xi64>
  %expected = stablehlo.add %steps, %first : tensor<129xi64>
  check.expect_eq %result, %expected : tensor<129xi64>
  return
}

// -----

// The sum of 128 numbers in a row.
func.func @many_windows_of_an_even_length() {
  %input = stablehlo.iota dim = 0 : tensor<256xi64>
  %init_value = stablehlo.constant dense<0> : tensor<i64>
  %result = "stablehlo.reduce_window"(%input, %init_value) ({
    ^bb0(%x: tensor<i64>, %y: tensor<i64>):
      %list = stablehlo.reshape %x : (tensor<i64>) -> tensor<1xi64>
      %same = stablehlo.reshape %list : (tensor<1xi64>) -> tensor<i64>
      %sum = stablehlo.add %same, %y : tensor<i64>
      stablehlo.return %sum : tensor<i64>
  }) {window_dimensions = array<i64: 128>, window_strides = array<i64: 1>} : (tensor<256xi64>, tensor<i64>) -> tensor<129xi64>
  %number = stablehlo.iota dim = 0 : tensor<129xi64>
  %step = stablehlo.constant dense<128> : tensor<129xi64>
  %first = stablehlo.constant dense<8128> : tensor<129xi64>
  %steps = stablehlo.multiply %number, %step : tensor<129xi64>
  %expected = stablehlo.add %steps, %first : tensor<129xi64>
  check.expect_eq %result, %expected : tensor<129xi64>
  return
}

// -----

// Windows that overlap by half.
func.func @distant_windows() {
  %input = stablehlo.iota dim = 0 : tensor<8320xi64>
  %init_value = stablehlo.constant dense<0> : tensor<i64>
  %result = "stablehlo.reduce_window"(%input, %init_value) ({
    ^bb0(%x: tensor<i64>, %y: tensor<i64>):
      %list = stablehlo.reshape %x : (tensor<i64>) -> tensor<1xi64>
      %same = stablehlo.reshape %list : (tensor<1xi64>) -> tensor<i64>
      %sum = stablehlo.add %same, %y : tensor<i64>
      stablehlo.return %sum : tensor<i64>
  }) {window_dimensions = array<i64: 128>, window_strides = array<i64: 64>} : (tensor<8320xi64>, tensor<i64>) -> tensor<129xi64>
  %number = stablehlo.iota dim = 0 : tensor<129xi64>
  %step = stablehlo.constant dense<8192> : tensor<129xi64>
  %first = stablehlo.constant dense<8128> : tensor<129xi64>
  %steps = stablehlo.multiply %number, %step : tensor<129xi64>
  %expected = stablehlo.add %steps, %first : tensor<129xi64>
  check.expect_eq %result, %expected : tensor<129xi64>
  return
}
