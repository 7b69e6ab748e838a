// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @not(%operand: tensor<10xi1>) {
  %0 = stablehlo.not %operand : tensor<10xi1>
  return
}

// -----

// Where one side knows a dimension and the other does not, they are compatible.
func.func @not_c1_dynamic(%operand: tensor<2x?xi1>) {
  %0 = stablehlo.not %operand : (tensor<2x?xi1>) -> tensor<?x?xi1>
  return
}

// -----

func.func @not_c1_bounded(%operand: tensor<?x2xi1, #stablehlo.bounds<6, ?>>) {
  %0 = stablehlo.not %operand : tensor<?x2xi1, #stablehlo.bounds<6, ?>>
  return
}

// -----

func.func @not_c1_shape(%operand: tensor<10xi1>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.not %operand : (tensor<10xi1>) -> tensor<12xi1>
  return
}

// -----

func.func @not_c1_rank(%operand: tensor<10xi1>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.not %operand : (tensor<10xi1>) -> tensor<1x10xi1>
  return
}

// -----

func.func @not_c1_element_type(%operand: tensor<10xi1>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.not %operand : (tensor<10xi1>) -> tensor<10xi8>
  return
}

// -----

func.func @not_c1_bounds(%operand: tensor<?xi1, #stablehlo.bounds<4>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.not %operand : (tensor<?xi1, #stablehlo.bounds<4>>) -> tensor<6xi1>
  return
}

// -----

func.func @not_i1_f32(%operand: tensor<10xf32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.not %operand : tensor<10xf32>
  return
}

// -----

func.func @not_i1_complex(%operand: tensor<10xcomplex<f32>>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.not %operand : tensor<10xcomplex<f32>>
  return
}

// -----

func.func @not_i1_unranked(%operand: tensor<*xi1>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.not %operand : tensor<*xi1>
  return
}
