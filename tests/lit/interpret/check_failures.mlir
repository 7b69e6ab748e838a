// RUN: not stablehlo-translate --interpret --split-input-file %s 2>&1 | FileCheck %s
// A failed check names op, function, index and both values; the parts after it run all the same.

// CHECK: check_failures.mlir:[[# @LINE + 5]]:3: error: 'check.expect_eq_const' op element values don't match: 20 (actual) vs 21 (expected) at index [1, 0]; 1 of 4 elements differ
// CHECK-NEXT: check.expect_eq_const %value
// CHECK: note: in function @wrong_element
func.func @wrong_element() {
  %value = stablehlo.constant dense<[[10, 11], [20, 30]]> : tensor<2x2xi64>
  check.expect_eq_const %value, dense<[[10, 11], [21, 30]]> : tensor<2x2xi64>
  return
}

// -----

// CHECK: error: 'check.expect_eq' op element values don't match: nan (actual) vs nan (expected) at index []; 1 of 1 elements differ
func.func @nan_equals_nothing() {
  %value = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  check.expect_eq %value, %value : tensor<f32>
  return
}

// -----

// CHECK: error: 'check.expect_almost_eq_const' op element values don't match with tolerance 0.01: 1.0 (actual) vs 1.125 (expected) at index [0]
func.func @too_far() {
  %value = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  check.expect_almost_eq_const %value, dense<[1.125, 2.0]> : tensor<2xf64>, tolerance = 0.01
  return
}

// -----

// CHECK: error: 'check.expect_close' op element values don't match within 0 to 1 ULPs: 1.0 (actual) vs 1.000{{[0-9]+}} (expected) at index [0]; 1 of 2 elements differ; ULP differences: 1 are 0 apart, 0 are 1 apart, 1 are 2 apart, 0 are 3 apart, 0 are at least 4 apart
func.func @two_apart() {
  %value = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %other = stablehlo.constant dense<[0x3F800002, 0x40000000]> : tensor<2xf32>
  check.expect_close %value, %other, max_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>
  return
}

// -----

// CHECK-NOT: error
// CHECK: tensor<i32> {7}
func.func @goes_on() -> tensor<i32> {
  %value = stablehlo.constant dense<7> : tensor<i32>
  return %value : tensor<i32>
}
