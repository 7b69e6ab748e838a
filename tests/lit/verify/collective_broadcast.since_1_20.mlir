// REQUIRES: stablehlo-1.20
// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @collective_broadcast_c3_several(%first: tensor<4xf32>, %second: tensor<i32>) {
  %0:2 = "stablehlo.collective_broadcast"(%first, %second) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<4xf32>, tensor<i32>) -> (tensor<4xf32>, tensor<i32>)
  return
}

// -----

func.func @collective_broadcast_c4_c5(%first: tensor<4xf32>, %second: tensor<i32>, %roots: tensor<2xi32>) {
  %0:2 = "stablehlo.collective_broadcast"(%first, %second, %roots) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root}
      : (tensor<4xf32>, tensor<i32>, tensor<2xi32>) -> (tensor<4xf32>, tensor<i32>)
  return
}

// -----

func.func @collective_broadcast_c3_other_element_type(%operand: tensor<4xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<4xf16>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.collective_broadcast"(%operand) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<4xf32>) -> tensor<4xf16>
  return
}

// -----

func.func @collective_broadcast_c3_none() {
  // expected-error@+1 {{collective_broadcast requires at least one data operand}}
  "stablehlo.collective_broadcast"() {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : () -> ()
  return
}

// -----

func.func @collective_broadcast_c4_root_only(%root: tensor<1xi32>) {
  // expected-error@+1 {{collective_broadcast with has_dynamic_root=true requires at least two operands (data + root)}}
  "stablehlo.collective_broadcast"(%root) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root}
      : (tensor<1xi32>) -> ()
  return
}

// -----

func.func @collective_broadcast_c4_root_type(%operand: tensor<4xf32>, %root: tensor<1xf32>) {
  // expected-error@+1 {{last operand of collective_broadcast with has_dynamic_root=true must be a rank-1 i32 tensor, but got 'tensor<1xf32>'}}
  %0 = "stablehlo.collective_broadcast"(%operand, %root) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root}
      : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_broadcast_c4_root_count(%first: tensor<4xf32>, %second: tensor<4xf32>, %root: tensor<1xi32>) {
  // expected-error@+1 {{last operand of collective_broadcast with has_dynamic_root=true must have the same number of elements as data operands (2), but got 1}}
  %0:2 = "stablehlo.collective_broadcast"(%first, %second, %root) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root}
      : (tensor<4xf32>, tensor<4xf32>, tensor<1xi32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @collective_broadcast_c5(%operand: tensor<4xf32>, %root: tensor<1xi32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<4xf32>', 'tensor<1xi32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = "stablehlo.collective_broadcast"(%operand, %root) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root}
      : (tensor<4xf32>, tensor<1xi32>) -> (tensor<4xf32>, tensor<1xi32>)
  return
}
