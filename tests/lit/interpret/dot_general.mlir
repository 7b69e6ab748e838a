// RUN: stablehlo-translate --interpret --split-input-file %s

func.func @spec_example() {
  %lhs = stablehlo.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi64>
  %rhs = stablehlo.constant dense<[[[1, 0], [0, 1]], [[1, 0], [0, 1]]]> : tensor<2x2x2xi64>
  %result = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x2x2xi64>, tensor<2x2x2xi64>) -> tensor<2x2x2xi64>
  check.expect_eq_const %result, dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi64>
  return
}

// -----

func.func @booleans() {
  %lhs = stablehlo.constant dense<[[true, false], [true, true], [false, false]]> : tensor<3x2xi1>
  %rhs = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<3x2xi1>, tensor<2xi1>) -> tensor<3xi1>
  check.expect_eq_const %result, dense<[false, true, false]> : tensor<3xi1>
  return
}

// -----

func.func @complex_numbers_and_an_outer_product() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (0.0, 1.0)]> : tensor<2xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(3.0, -1.0)]> : tensor<1xcomplex<f64>>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [] x [] : (tensor<2xcomplex<f64>>, tensor<1xcomplex<f64>>) -> tensor<2x1xcomplex<f64>>
  check.expect_eq_const %result, dense<[[(5.0, 5.0)], [(1.0, 3.0)]]> : tensor<2x1xcomplex<f64>>
  return
}

// -----

func.func @nothing_to_contract() {
  %lhs = stablehlo.constant dense<> : tensor<2x0xf64>
  %rhs = stablehlo.constant dense<> : tensor<0x1xf64>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x0xf64>, tensor<0x1xf64>) -> tensor<2x1xf64>
  check.expect_eq_const %result, dense<0.0> : tensor<2x1xf64>
  return
}

// -----

// 1 + 2^-11 has more bits than tf32 keeps, and 1 + 2^-10 has not.
func.func @algorithm_rounds_operands() {
  %lhs = stablehlo.constant dense<[1.00048828125, 1.0009765625]> : tensor<2xf32>
  %rhs = stablehlo.constant dense<[2.0]> : tensor<1xf32>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [] x [], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2xf32>, tensor<1xf32>) -> tensor<2x1xf32>
  check.expect_eq_const %result, dense<[[2.0], [2.001953125]]> : tensor<2x1xf32>
  return
}

// -----

// Six operations are on three components of 8 bits, which hold an f32 whole; one is on the first of them.
func.func @algorithm_with_components() {
  %lhs = stablehlo.constant dense<[1.00001526]> : tensor<1xf32>
  %rhs = stablehlo.constant dense<[3.0]> : tensor<1xf32>
  %six = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 6, allow_imprecise_accumulation = false> : (tensor<1xf32>, tensor<1xf32>) -> tensor<f32>
  check.expect_eq_const %six, dense<3.00004578> : tensor<f32>
  %one = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<1xf32>, tensor<1xf32>) -> tensor<f32>
  check.expect_eq_const %one, dense<3.0> : tensor<f32>
  return
}

// -----

func.func @integers() {
  %lhs = stablehlo.constant dense<[[-4611686018427387904, 3]]> : tensor<1x2xi64>
  %rhs = stablehlo.constant dense<[[2], [5]]> : tensor<2x1xi64>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<1x2xi64>, tensor<2x1xi64>) -> tensor<1x1xi64>
  check.expect_eq_const %result, dense<[[-9223372036854775793]]> : tensor<1x1xi64>
  return
}
