// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @pad(%operand: tensor<2x3xf32>, %padding_value: tensor<f32>) {
  %0 = stablehlo.pad %operand, %padding_value, low = [0, 1], high = [2, 1], interior = [1, 0]
      : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x5xf32>
  return
}

// -----

func.func @pad_c4_negative(%operand: tensor<6xf32>, %padding_value: tensor<f32>) {
  %0 = stablehlo.pad %operand, %padding_value, low = [-2], high = [-1], interior = [0]
      : (tensor<6xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @pad_c4_empty(%operand: tensor<0xf32>, %padding_value: tensor<f32>) {
  %0 = stablehlo.pad %operand, %padding_value, low = [1], high = [1], interior = [4]
      : (tensor<0xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @pad_c4_dynamic(%operand: tensor<?xf32>, %padding_value: tensor<f32>) {
  %0 = stablehlo.pad %operand, %padding_value, low = [1], high = [1], interior = [0]
      : (tensor<?xf32>, tensor<f32>) -> tensor<8xf32>
  return
}

// -----

func.func @pad_c4_bounded(%operand: tensor<?xf32, #stablehlo.bounds<4>>, %padding_value: tensor<f32>) {
  %0 = stablehlo.pad %operand, %padding_value, low = [1], high = [1], interior = [1]
      : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<f32>) -> tensor<?xf32, #stablehlo.bounds<9>>
  return
}

// -----

func.func @pad_c1(%operand: tensor<6xf32>, %padding_value: tensor<f64>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = stablehlo.pad %operand, %padding_value, low = [0], high = [1], interior = [0]
      : (tensor<6xf32>, tensor<f64>) -> tensor<7xf32>
  return
}

// -----

func.func @pad_c1_result(%operand: tensor<6xf32>, %padding_value: tensor<f32>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = stablehlo.pad %operand, %padding_value, low = [0], high = [1], interior = [0]
      : (tensor<6xf32>, tensor<f32>) -> tensor<7xf64>
  return
}

// -----

func.func @pad_c2_rank(%operand: tensor<6xf32>, %padding_value: tensor<f32>) {
  // expected-error@+2 {{edge_padding_low length (2) must match operand rank (1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.pad %operand, %padding_value, low = [0, 0], high = [1, 0], interior = [0, 0]
      : (tensor<6xf32>, tensor<f32>) -> tensor<7xf32>
  return
}

// -----

func.func @pad_c2_sizes(%operand: tensor<6xf32>, %padding_value: tensor<f32>) {
  // expected-error@+1 {{failed to verify that all of {edge_padding_low, edge_padding_high, interior_padding} have same size}}
  %0 = stablehlo.pad %operand, %padding_value, low = [0], high = [1, 1], interior = [0]
      : (tensor<6xf32>, tensor<f32>) -> tensor<7xf32>
  return
}

// -----

func.func @pad_c3(%operand: tensor<6xf32>, %padding_value: tensor<f32>) {
  // expected-error@+2 {{Interior padding cannot be negative: -1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.pad %operand, %padding_value, low = [0], high = [1], interior = [-1]
      : (tensor<6xf32>, tensor<f32>) -> tensor<7xf32>
  return
}

// -----

func.func @pad_c4(%operand: tensor<6xf32>, %padding_value: tensor<f32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<7xf32>' are incompatible with return type(s) of operation 'tensor<8xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.pad %operand, %padding_value, low = [0], high = [1], interior = [0]
      : (tensor<6xf32>, tensor<f32>) -> tensor<8xf32>
  return
}

// -----

func.func @pad_c4_negative_size(%operand: tensor<2xf32>, %padding_value: tensor<f32>) {
  // expected-error@+2 {{Padding result in negative size for dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.pad %operand, %padding_value, low = [-2], high = [-1], interior = [0]
      : (tensor<2xf32>, tensor<f32>) -> tensor<0xf32>
  return
}

// -----

func.func @pad_c4_negative_bound(%operand: tensor<?xf32, #stablehlo.bounds<2>>, %padding_value: tensor<f32>) {
  // expected-error@+2 {{Padding result in negative bound for dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.pad %operand, %padding_value, low = [-2], high = [-1], interior = [0]
      : (tensor<?xf32, #stablehlo.bounds<2>>, tensor<f32>) -> tensor<?xf32>
  return
}

// -----

func.func @pad_i2(%operand: tensor<6xf32>, %padding_value: tensor<1xf32>) {
  // expected-error@+1 {{operand #1 must be 0D tensor of}}
  %0 = stablehlo.pad %operand, %padding_value, low = [0], high = [1], interior = [0]
      : (tensor<6xf32>, tensor<1xf32>) -> tensor<7xf32>
  return
}
