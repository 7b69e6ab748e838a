// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %min = stablehlo.constant dense<[5, 10, 15]> : tensor<3xi32>
  %operand = stablehlo.constant dense<[3, 13, 23]> : tensor<3xi32>
  %max = stablehlo.constant dense<[10, 15, 20]> : tensor<3xi32>
  %result = stablehlo.clamp %min, %operand, %max : tensor<3xi32>
  check.expect_eq_const %result, dense<[5, 13, 20]> : tensor<3xi32>
  return
}

// -----

func.func @scalar_bounds() {
  %min = stablehlo.constant dense<-2> : tensor<i64>
  %operand = stablehlo.constant dense<[-9, -2, 0, 5, 6]> : tensor<5xi64>
  %max = stablehlo.constant dense<5> : tensor<i64>
  %result = stablehlo.clamp %min, %operand, %max : (tensor<i64>, tensor<5xi64>, tensor<i64>) -> tensor<5xi64>
  check.expect_eq_const %result, dense<[-2, -2, 0, 5, 5]> : tensor<5xi64>
  return
}

// -----

func.func @one_scalar_bound() {
  %min = stablehlo.constant dense<0.0> : tensor<f64>
  %operand = stablehlo.constant dense<[-1.0, 0.5, 3.0]> : tensor<3xf64>
  %max = stablehlo.constant dense<[1.0, 1.0, 2.0]> : tensor<3xf64>
  %result = stablehlo.clamp %min, %operand, %max : (tensor<f64>, tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  check.expect_eq_const %result, dense<[0.0, 0.5, 2.0]> : tensor<3xf64>
  return
}

// -----

func.func @bounds_crossed() {
  %min = stablehlo.constant dense<[7]> : tensor<1xi64>
  %operand = stablehlo.constant dense<[5]> : tensor<1xi64>
  %max = stablehlo.constant dense<[3]> : tensor<1xi64>
  %result = stablehlo.clamp %min, %operand, %max : tensor<1xi64>
  check.expect_eq_const %result, dense<[3]> : tensor<1xi64>
  return
}

// -----

func.func @nan() {
  %min = stablehlo.constant dense<0.0> : tensor<f64>
  %operand = stablehlo.constant dense<[0x7FF8000000000000, -1.0]> : tensor<2xf64>
  %max = stablehlo.constant dense<1.0> : tensor<f64>
  %result = stablehlo.clamp %min, %operand, %max : (tensor<f64>, tensor<2xf64>, tensor<f64>) -> tensor<2xf64>
  check.expect_almost_eq_const %result, dense<[0x7FF8000000000000, 0.0]> : tensor<2xf64>
  return
}

// -----

func.func @complex_numbers() {
  %min = stablehlo.constant dense<[(1.0, 2.0), (1.0, 2.0)]> : tensor<2xcomplex<f64>>
  %operand = stablehlo.constant dense<[(1.0, 1.0), (1.0, 5.0)]> : tensor<2xcomplex<f64>>
  %max = stablehlo.constant dense<[(1.0, 4.0), (2.0, 0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.clamp %min, %operand, %max : tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(1.0, 2.0), (1.0, 5.0)]> : tensor<2xcomplex<f64>>
  return
}
