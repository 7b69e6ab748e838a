// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %operand0 = stablehlo.constant dense<0.0> : tensor<f32>
  %operand1 = stablehlo.constant dense<1.0> : tensor<f32>
  %results:2 = stablehlo.optimization_barrier %operand0, %operand1 : tensor<f32>, tensor<f32>
  check.expect_eq_const %results#0, dense<0.0> : tensor<f32>
  check.expect_eq_const %results#1, dense<1.0> : tensor<f32>
  return
}

// -----

func.func @barrier() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %b = stablehlo.constant dense<0.25> : tensor<f64>
  %results:2 = stablehlo.optimization_barrier %a, %b : tensor<2xi64>, tensor<f64>
  %alone = stablehlo.optimization_barrier %b : tensor<f64>
  check.expect_eq_const %results#0, dense<[1, 2]> : tensor<2xi64>
  check.expect_eq_const %results#1, dense<0.25> : tensor<f64>
  check.expect_eq_const %alone, dense<0.25> : tensor<f64>
  return
}
