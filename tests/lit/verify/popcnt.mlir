// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @popcnt(%operand: tensor<4x4xui8>) {
  %0 = stablehlo.popcnt %operand : tensor<4x4xui8>
  return
}

// -----

// Where one side knows a dimension and the other does not, they are compatible.
func.func @popcnt_c1_dynamic(%operand: tensor<?x?xui8>) {
  %0 = stablehlo.popcnt %operand : (tensor<?x?xui8>) -> tensor<?x4xui8>
  return
}

// -----

func.func @popcnt_c1_bounded(%operand: tensor<?x2xui8, #stablehlo.bounds<6, ?>>) {
  %0 = stablehlo.popcnt %operand : tensor<?x2xui8, #stablehlo.bounds<6, ?>>
  return
}

// -----

func.func @popcnt_c1_shape(%operand: tensor<4x4xui8>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.popcnt %operand : (tensor<4x4xui8>) -> tensor<4x2xui8>
  return
}

// -----

func.func @popcnt_c1_rank(%operand: tensor<4x4xui8>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.popcnt %operand : (tensor<4x4xui8>) -> tensor<1x4x4xui8>
  return
}

// -----

func.func @popcnt_c1_element_type(%operand: tensor<4x4xui8>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.popcnt %operand : (tensor<4x4xui8>) -> tensor<4x4xi8>
  return
}

// -----

func.func @popcnt_c1_bounds(%operand: tensor<?xui8, #stablehlo.bounds<4>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.popcnt %operand : (tensor<?xui8, #stablehlo.bounds<4>>) -> tensor<6xui8>
  return
}

// -----

func.func @popcnt_i1_i1(%operand: tensor<4x4xi1>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.popcnt %operand : tensor<4x4xi1>
  return
}

// -----

func.func @popcnt_i1_f16(%operand: tensor<4x4xf16>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.popcnt %operand : tensor<4x4xf16>
  return
}

// -----

func.func @popcnt_i1_unranked(%operand: tensor<*xui8>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.popcnt %operand : tensor<*xui8>
  return
}
