// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @optimization_barrier(%operand0: tensor<2xf32>, %operand1: !stablehlo.token) {
  %0:2 = stablehlo.optimization_barrier %operand0, %operand1 : tensor<2xf32>, !stablehlo.token
  return
}

// -----

func.func @optimization_barrier_empty() {
  "stablehlo.optimization_barrier"() : () -> ()
  return
}

// -----

func.func @optimization_barrier_c1_dynamic(%operand: tensor<?xf32>) {
  %0 = "stablehlo.optimization_barrier"(%operand) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @optimization_barrier_c1(%operand: tensor<2xf32>) {
  // expected-error@+1 {{requires the same type for operand and result at index 0}}
  %0 = "stablehlo.optimization_barrier"(%operand) : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @optimization_barrier_c1_element_type(%operand: tensor<2xf32>) {
  // expected-error@+1 {{requires the same type for operand and result at index 0}}
  %0 = "stablehlo.optimization_barrier"(%operand) : (tensor<2xf32>) -> tensor<2xf16>
  return
}

// -----

func.func @optimization_barrier_c1_count(%operand: tensor<2xf32>) {
  // expected-error@+1 {{requires the same number of operands and results}}
  %0:2 = "stablehlo.optimization_barrier"(%operand) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}
