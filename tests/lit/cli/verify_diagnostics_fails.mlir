// RUN: not stablehlo-opt %s --verify-diagnostics --split-input-file 2>&1 | FileCheck %s

// CHECK: verify_diagnostics_fails.mlir:[[# @LINE + 1]]:4: error: expected error "nobody says this" was not produced
// expected-error @+1 {{nobody says this}}
func.func @sound() {
  return
}

// -----

func.func @unexpected() {
  // CHECK: verify_diagnostics_fails.mlir:[[# @LINE + 1]]:15: error: unexpected error: use of undeclared SSA value name
  func.return %absent : tensor<i32>
}

// -----

func.func @other_severity() {
  // CHECK: verify_diagnostics_fails.mlir:[[# @LINE + 1]]:6: error: 'error' diagnostic emitted when expecting a 'warning'
  // expected-warning @below {{use of undeclared SSA value name}}
  func.return %absent : tensor<i32>
  // CHECK: verify_diagnostics_fails.mlir:[[# @LINE - 2]]:6: error: expected warning "use of undeclared SSA value name" was not produced
}

// -----

// CHECK: verify_diagnostics_fails.mlir:[[# @LINE + 1]]:4: error: found start of regex with no end '}}'
// expected-error-re @+1 {{half a {{pattern }}
func.func @pattern() {
  return
}
