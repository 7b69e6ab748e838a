// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @dynamic_pad(%operand: tensor<2x3xf32>, %padding_value: tensor<f32>, %low: tensor<2xi64>, %high: tensor<2xi64>, %interior: tensor<2xi64>) {
  %0 = stablehlo.dynamic_pad %operand, %padding_value, %low, %high, %interior
      : (tensor<2x3xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @dynamic_pad_c4_constant(%operand: tensor<4xf32>, %padding_value: tensor<f32>) {
  %low = stablehlo.constant dense<1> : tensor<1xi64>
  %interior = stablehlo.constant dense<2> : tensor<1xi64>
  %0 = stablehlo.dynamic_pad %operand, %padding_value, %low, %low, %interior
      : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<12xf32>
  return
}

// -----

func.func @dynamic_pad_c1(%operand: tensor<4xf32>, %padding_value: tensor<f64>, %low: tensor<1xi64>, %high: tensor<1xi64>, %interior: tensor<1xi64>) {
  // expected-error@+1 {{failed to verify that all of {operand, padding_value, result} have same element type}}
  %0 = stablehlo.dynamic_pad %operand, %padding_value, %low, %high, %interior
      : (tensor<4xf32>, tensor<f64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_pad_c1_result(%operand: tensor<4xf32>, %padding_value: tensor<f32>, %low: tensor<1xi64>, %high: tensor<1xi64>, %interior: tensor<1xi64>) {
  // expected-error@+1 {{failed to verify that all of {operand, padding_value, result} have same element type}}
  %0 = stablehlo.dynamic_pad %operand, %padding_value, %low, %high, %interior
      : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf64>
  return
}

// -----

func.func @dynamic_pad_c2(%operand: tensor<4xf32>, %padding_value: tensor<f32>, %low: tensor<2xi64>, %high: tensor<2xi64>, %interior: tensor<2xi64>) {
  // expected-error@+1 {{padding operands size (2) must match operand rank (1)}}
  %0 = stablehlo.dynamic_pad %operand, %padding_value, %low, %high, %interior
      : (tensor<4xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_pad_c2_sizes(%operand: tensor<4xf32>, %padding_value: tensor<f32>, %low: tensor<1xi64>, %high: tensor<2xi64>, %interior: tensor<1xi64>) {
  // expected-error@+1 {{failed to verify that all of {edge_padding_low, edge_padding_high, interior_padding} have same type}}
  %0 = stablehlo.dynamic_pad %operand, %padding_value, %low, %high, %interior
      : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<2xi64>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_pad_c3(%operand: tensor<4xf32>, %padding_value: tensor<f32>, %low: tensor<1xi64>) {
  %interior = stablehlo.constant dense<-1> : tensor<1xi64>
  // expected-error@+1 {{interior_padding must be non-negative, but got -1}}
  %0 = stablehlo.dynamic_pad %operand, %padding_value, %low, %low, %interior
      : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_pad_c4(%operand: tensor<4xf32>, %padding_value: tensor<f32>) {
  %low = stablehlo.constant dense<1> : tensor<1xi64>
  %interior = stablehlo.constant dense<2> : tensor<1xi64>
  // expected-error@+1 {{expected output dimension at index 0 to equal 12, but got 11}}
  %0 = stablehlo.dynamic_pad %operand, %padding_value, %low, %low, %interior
      : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<11xf32>
  return
}

// -----

func.func @dynamic_pad_c4_rank(%operand: tensor<4xf32>, %padding_value: tensor<f32>, %low: tensor<1xi64>, %high: tensor<1xi64>, %interior: tensor<1xi64>) {
  // expected-error@+1 {{failed to verify that all of {operand, result} have same rank}}
  %0 = stablehlo.dynamic_pad %operand, %padding_value, %low, %high, %interior
      : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  return
}
