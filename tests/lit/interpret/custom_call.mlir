// RUN: stablehlo-translate --interpret %s --function=checks | FileCheck %s
// RUN: not stablehlo-translate --interpret %s --function=unknown 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: not stablehlo-translate --interpret %s --function=differs 2>&1 | FileCheck --check-prefix=DIFFERS %s

// The checks that upstream's tool knows as custom calls; one with a result says true.
// CHECK: tensor<i1> {true}
func.func @checks() -> tensor<i1> {
  %ints = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %floats = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %near = stablehlo.constant dense<[1.00009, 2.0]> : tensor<2xf32>
  %next = stablehlo.constant dense<[1.0000001, 2.0]> : tensor<2xf32>
  %ok = stablehlo.custom_call @check.eq(%ints, %ints) : (tensor<2xi64>, tensor<2xi64>) -> tensor<i1>
  stablehlo.custom_call @check.eq(%floats, %near) : (tensor<2xf32>, tensor<2xf32>) -> ()
  stablehlo.custom_call @check.expect_eq(%ints, %ints) {has_side_effect = true}
    : (tensor<2xi64>, tensor<2xi64>) -> ()
  stablehlo.custom_call @check.expect_almost_eq(%floats, %near) {has_side_effect = true}
    : (tensor<2xf32>, tensor<2xf32>) -> ()
  stablehlo.custom_call @check.expect_close(%floats, %next) {has_side_effect = true}
    : (tensor<2xf32>, tensor<2xf32>) -> ()
  %annotated = stablehlo.custom_call @Sharding(%ints) : (tensor<2xi64>) -> tensor<2xi64>
  stablehlo.custom_call @check.expect_eq(%annotated, %ints) : (tensor<2xi64>, tensor<2xi64>) -> ()
  return %ok : tensor<i1>
}

// UNKNOWN: custom_call.mlir:[[# @LINE + 4]]:13: error: 'stablehlo.custom_call' op calls 'nobody.knows', which has no handler
// UNKNOWN: note: register one with @stablehlo_py.custom_call_handler('nobody.knows')
func.func @unknown() -> tensor<2xi64> {
  %operand = stablehlo.constant dense<1> : tensor<2xi64>
  %result = stablehlo.custom_call @nobody.knows(%operand) : (tensor<2xi64>) -> tensor<2xi64>
  return %result : tensor<2xi64>
}

// DIFFERS: error: 'stablehlo.custom_call @check.expect_eq' op element values don't match: 2 (actual) vs 3 (expected) at index [1]; 1 of 2 elements differ
// DIFFERS: note: in function @differs
func.func @differs() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %b = stablehlo.constant dense<[1, 3]> : tensor<2xi64>
  stablehlo.custom_call @check.expect_eq(%a, %b) : (tensor<2xi64>, tensor<2xi64>) -> ()
  return
}
