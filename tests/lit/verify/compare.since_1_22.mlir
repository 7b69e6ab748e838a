// REQUIRES: stablehlo-1.22
// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @compare_c3_weak_order(%lhs: tensor<2xi32>, %rhs: tensor<2xi32>) {
  // expected-error@+2 {{WEAKORDER comparison type is only supported for floating-point element types, got 'i32'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.compare"(%lhs, %rhs) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type WEAKORDER>} : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  return
}
