// RUN: stablehlo-translate --interpret --split-input-file %s

// Which numbers come is open; they lie in the interval.
func.func @spec_example() {
  %a = stablehlo.constant dense<0> : tensor<i32>
  %b = stablehlo.constant dense<2> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %shape = stablehlo.constant dense<[3, 3]> : tensor<2xi64>
  %result = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<3x3xi32>
  %clamped = stablehlo.clamp %zero, %result, %one : (tensor<i32>, tensor<3x3xi32>, tensor<i32>) -> tensor<3x3xi32>
  check.expect_eq %result, %clamped : tensor<3x3xi32>
  return
}

// -----

func.func @uniform_floats() {
  %a = stablehlo.constant dense<-1.0> : tensor<f64>
  %b = stablehlo.constant dense<2.0> : tensor<f64>
  %shape = stablehlo.constant dense<[1000]> : tensor<1xi64>
  %result = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f64>, tensor<f64>, tensor<1xi64>) -> tensor<1000xf64>
  %clamped = stablehlo.clamp %a, %result, %b : (tensor<f64>, tensor<1000xf64>, tensor<f64>) -> tensor<1000xf64>
  check.expect_eq %result, %clamped : tensor<1000xf64>
  return
}

// -----

// Without deviation every number is the mean.
func.func @normal_floats() {
  %a = stablehlo.constant dense<5.0> : tensor<f64>
  %b = stablehlo.constant dense<0.0> : tensor<f64>
  %shape = stablehlo.constant dense<[2, 2]> : tensor<2xi64>
  %result = stablehlo.rng %a, %b, %shape, distribution = NORMAL : (tensor<f64>, tensor<f64>, tensor<2xi64>) -> tensor<2x2xf64>
  check.expect_eq_const %result, dense<5.0> : tensor<2x2xf64>
  return
}
