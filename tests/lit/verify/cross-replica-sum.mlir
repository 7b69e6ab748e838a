// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @cross_replica_sum(%operand: tensor<4xf32>) {
  %0 = "stablehlo.cross-replica-sum"(%operand) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @cross_replica_sum_types(%operand: tensor<4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.cross-replica-sum"(%operand) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @cross_replica_sum_replica_groups(%operand: tensor<4xf32>) {
  // expected-error@+1 {{requires attribute 'replica_groups'}}
  %0 = "stablehlo.cross-replica-sum"(%operand) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
