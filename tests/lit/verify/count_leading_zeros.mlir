// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @count_leading_zeros(%operand: tensor<3x5xi16>) {
  %0 = stablehlo.count_leading_zeros %operand : tensor<3x5xi16>
  return
}

// -----

// Where one side knows a dimension and the other does not, they are compatible.
func.func @count_leading_zeros_c1_dynamic(%operand: tensor<?x5xi16>) {
  %0 = stablehlo.count_leading_zeros %operand : (tensor<?x5xi16>) -> tensor<3x?xi16>
  return
}

// -----

func.func @count_leading_zeros_c1_bounded(%operand: tensor<?x2xi16, #stablehlo.bounds<6, ?>>) {
  %0 = stablehlo.count_leading_zeros %operand : tensor<?x2xi16, #stablehlo.bounds<6, ?>>
  return
}

// -----

func.func @count_leading_zeros_c1_shape(%operand: tensor<3x5xi16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.count_leading_zeros %operand : (tensor<3x5xi16>) -> tensor<3x6xi16>
  return
}

// -----

func.func @count_leading_zeros_c1_rank(%operand: tensor<3x5xi16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.count_leading_zeros %operand : (tensor<3x5xi16>) -> tensor<1x3x5xi16>
  return
}

// -----

func.func @count_leading_zeros_c1_element_type(%operand: tensor<3x5xi16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.count_leading_zeros %operand : (tensor<3x5xi16>) -> tensor<3x5xi64>
  return
}

// -----

func.func @count_leading_zeros_c1_bounds(%operand: tensor<?xi16, #stablehlo.bounds<4>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.count_leading_zeros %operand : (tensor<?xi16, #stablehlo.bounds<4>>) -> tensor<6xi16>
  return
}

// -----

func.func @count_leading_zeros_i1_i1(%operand: tensor<3x5xi1>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.count_leading_zeros %operand : tensor<3x5xi1>
  return
}

// -----

func.func @count_leading_zeros_i1_f32(%operand: tensor<3x5xf32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.count_leading_zeros %operand : tensor<3x5xf32>
  return
}

// -----

func.func @count_leading_zeros_i1_unranked(%operand: tensor<*xi16>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.count_leading_zeros %operand : tensor<*xi16>
  return
}
