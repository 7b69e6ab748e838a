// A module without main is a suite: each function without parameters runs.
// RUN: stablehlo-translate --interpret --split-input-file %s | FileCheck %s
// RUN: stablehlo-translate --interpret --split-input-file --num-replicas=2 %s | FileCheck --check-prefix=GRID %s
// RUN: not stablehlo-translate --interpret --split-input-file %s --args='[]' 2>&1 | FileCheck --check-prefix=ARGUMENTS %s
// RUN: not stablehlo-translate --interpret --split-input-file %s --function=main 2>&1 | FileCheck --check-prefix=ARGUMENTS %s

// ARGUMENTS: function @main is not defined
// CHECK-LABEL: Evaluated results of function: add_op_test_ui4
// CHECK-NEXT: Evaluated results of function: two_results
// CHECK-NEXT: tensor<i64> {3}
// CHECK-NEXT: tensor<i1> {true}
// CHECK-NOT: helper
// GRID-LABEL: Evaluated results of function: two_results
// GRID-NEXT: tensor<i64> {3}
// GRID-NEXT: tensor<i1> {true}
// GRID-NEXT: tensor<i64> {3}
// GRID-NEXT: tensor<i1> {true}
func.func @add_op_test_ui4() {
  %lhs = stablehlo.constant dense<[0, 2]> : tensor<2xui4>
  %rhs = stablehlo.constant dense<[15, 3]> : tensor<2xui4>
  %result = stablehlo.add %lhs, %rhs : tensor<2xui4>
  check.expect_eq_const %result, [15, 5] : tensor<2xui4>
  func.return
}
func.func @two_results() -> (tensor<i64>, tensor<i1>) {
  %operand = stablehlo.constant dense<3> : tensor<i64>
  %result = call @helper(%operand) : (tensor<i64>) -> tensor<i1>
  func.return %operand, %result : tensor<i64>, tensor<i1>
}
func.func private @helper(%operand: tensor<i64>) -> tensor<i1> {
  %result = stablehlo.compare EQ, %operand, %operand : (tensor<i64>, tensor<i64>) -> tensor<i1>
  func.return %result : tensor<i1>
}

// -----

// One function alone is what the program is, and so is main.
// CHECK-NOT: Evaluated
// CHECK: tensor<i64> {4}
func.func @alone() -> tensor<i64> {
  %operand = stablehlo.constant dense<4> : tensor<i64>
  func.return %operand : tensor<i64>
}

// -----

// CHECK-NOT: Evaluated
// CHECK: tensor<i64> {5}
// CHECK-NOT: {{.}}
func.func @other() -> tensor<i64> {
  %operand = stablehlo.constant dense<6> : tensor<i64>
  func.return %operand : tensor<i64>
}
func.func @main() -> tensor<i64> {
  %operand = stablehlo.constant dense<5> : tensor<i64>
  func.return %operand : tensor<i64>
}
