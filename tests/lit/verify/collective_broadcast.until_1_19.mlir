// UNSUPPORTED: stablehlo-1.20
// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @collective_broadcast_c3_element_type(%operand: tensor<4xf32>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = "stablehlo.collective_broadcast"(%operand) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<4xf32>) -> tensor<4xf16>
  return
}
