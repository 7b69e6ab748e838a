// RUN: stablehlo-translate --interpret --split-input-file %s

// Each pair of words goes to two neighbours along the first even dimension, here to the largest one.
func.func @threefry_words() {
  %initial_state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %output_state, %output = stablehlo.rng_bit_generator %initial_state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  check.expect_eq_const %output_state, dense<[1, 5]> : tensor<2xui64>
  check.expect_eq_const %output, dense<[43444564, 2150618427, 3979645651, 3745730563, 1672743891]> : tensor<5xui32>
  return
}

// -----

func.func @philox() {
  %initial_state = stablehlo.constant dense<[1, 2, 3]> : tensor<3xui64>
  %output_state, %output = stablehlo.rng_bit_generator %initial_state, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<2x2xui64>)
  check.expect_eq_const %output_state, dense<[1, 4, 3]> : tensor<3xui64>
  check.expect_eq_const %output, dense<[[5869932932755744586, 13107052260063114245], [8234580641674714347, 2641225993340350124]]> : tensor<2x2xui64>
  return
}

// -----

func.func @philox_words() {
  %initial_state = stablehlo.constant dense<[1, 2, 3]> : tensor<3xui64>
  %output_state, %output = stablehlo.rng_bit_generator %initial_state, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<5xui32>)
  check.expect_eq_const %output_state, dense<[1, 4, 3]> : tensor<3xui64>
  check.expect_eq_const %output, dense<[4031113034, 1366700262, 495645701, 3051723414, 89414891]> : tensor<5xui32>
  return
}

// -----

func.func @philox_short_state() {
  %initial_state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %output_state, %output = stablehlo.rng_bit_generator %initial_state, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  check.expect_eq_const %output_state, dense<[1, 4]> : tensor<2xui64>
  check.expect_eq_const %output, dense<[2100602697, 2847456232, 2074354647, 800269529, 1828267006]> : tensor<5xui32>
  return
}

// -----

// As on XLA's CPUs, this is Philox; short elements are the low bits of words.
func.func @default() {
  %initial_state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %output_state, %output = stablehlo.rng_bit_generator %initial_state, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui16>)
  check.expect_eq_const %output_state, dense<[1, 3]> : tensor<2xui64>
  check.expect_eq_const %output, dense<[42825, 48104, 9175, 9433]> : tensor<4xui16>
  return
}
