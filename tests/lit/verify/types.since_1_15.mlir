// REQUIRES: stablehlo-1.15
// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{future element type must be a ranked tensor, but got '!stablehlo.token'}}
func.func @future_of_a_token(%value: !stablehlo.future<!stablehlo.token>) {
  return
}
