// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics
// RUN: not stablehlo-opt %s --split-input-file 2>&1 | FileCheck %s

func.func @misspelt(%actual: tensor<2xf32>) {
  // expected-error @+1 {{custom op 'check.expect_equal' is unknown}}
  check.expect_equal %actual, %actual : tensor<2xf32>
  return
}

// -----

func.func @misspelt_generic(%actual: tensor<2xf32>) {
  // expected-error @+1 {{unregistered operation 'check.expect_equal' found in dialect ('check') that does not allow unknown operations}}
  "check.expect_equal"(%actual, %actual) : (tensor<2xf32>, tensor<2xf32>) -> ()
  return
}

// -----

// The column is the one of this file, though the op is read in another form.
func.func @types(%actual: tensor<2xf32>, %expected: tensor<3xf32>) { // expected-note {{prior use here}}
  // CHECK: check_dialect_invalid.mlir:[[# @LINE + 4]]:30: error: use of value '%expected' expects different type
  // CHECK-NEXT: check.expect_eq %actual,   %expected
  // CHECK-NEXT: {{^                             \^}}
  // expected-error @+1 {{use of value '%expected' expects different type than prior uses: 'tensor<2xf32>' vs 'tensor<3xf32>'}}
  check.expect_eq %actual,   %expected : tensor<2xf32>
  return
}

// -----

func.func @incomplete(%actual: tensor<2xf32>) {
  // expected-error @+1 {{custom op 'check.expect_close' expected ','}}
  check.expect_close %actual, %actual : tensor<2xf32>, tensor<2xf32>
  return
}

// -----

func.func @elements(%actual: tensor<2xf32>) {
  check.expect_eq_const %actual, dense<[1.0,
  // expected-error @-1 {{inferred shape of elements literal ([3]) does not match type ([2])}}
      2.0, 3.0]> : tensor<2xf32>
  return
}

// -----

func.func @list_without_type(%actual: tensor<2xf32>) {
  // expected-error @+1 {{custom op 'check.expect_eq_const' expected a typed elements attribute}}
  check.expect_eq_const %actual, [1.0, 2.0]
  return
}

// -----

func.func @list_of_others(%actual: tensor<2xi32>) {
  // CHECK: check_dialect_invalid.mlir:[[# @LINE + 2]]:38: error: expected integer elements, but parsed floating-point
  // expected-error @+1 {{expected integer elements, but parsed floating-point}}
  check.expect_eq_const %actual, [1, 2.0] : tensor<2xi32>
  return
}

// -----

func.func @integers(%actual: tensor<2xi32>) {
  // expected-error @+1 {{'check.expect_almost_eq' op operand #0 must be ranked tensor of floating-point or complex values, but got 'tensor<2xi32>'}}
  check.expect_almost_eq %actual, %actual : tensor<2xi32>
  return
}

// -----

func.func @missing_attribute(%actual: tensor<2xf32>) {
  // expected-error @+1 {{'check.expect_serialized_eq' op requires attribute 'probe_id'}}
  "check.expect_serialized_eq"(%actual) : (tensor<2xf32>) -> ()
  return
}

// -----

func.func @wrong_attribute(%actual: tensor<2xf32>) {
  // expected-error @+1 {{attribute 'max_ulp_difference' failed to satisfy constraint: 64-bit unsigned integer attribute}}
  "check.expect_close"(%actual, %actual) {max_ulp_difference = 3 : i32} : (tensor<2xf32>, tensor<2xf32>) -> ()
  return
}

// -----

func.func @operands(%actual: tensor<2xf32>) {
  // expected-error @+1 {{'check.expect_eq' op expected 2 operands, but found 1}}
  "check.expect_eq"(%actual) : (tensor<2xf32>) -> ()
  return
}

// -----

// A check is no reason to let other unregistered ops pass.
func.func @unregistered(%actual: tensor<2xf32>) {
  check.expect_eq %actual, %actual : tensor<2xf32>
  // expected-error @+1 {{operation being parsed with an unregistered dialect}}
  "garden.water"() : () -> ()
  return
}

// -----

// expected-error @+1 {{type of unregistered dialect 'garden'}}
func.func @unregistered_type(%actual: tensor<2xf32>, %water: !garden.water) {
  check.expect_eq %actual, %actual : tensor<2xf32>
  return
}
