// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @dynamic_iota(%output_shape: tensor<2xi64>) {
  %0 = stablehlo.dynamic_iota %output_shape, dim = 1 : (tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @dynamic_iota_c2_static() {
  %output_shape = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
  %0 = stablehlo.dynamic_iota %output_shape, dim = 0 : (tensor<2xi64>) -> tensor<3x4xi32>
  return
}

// -----

func.func @dynamic_iota_i1_dynamic(%output_shape: tensor<?xi32>) {
  // expected-error@+1 {{operand #0 must be statically shaped 1-dimensional tensor of}}
  %0 = stablehlo.dynamic_iota %output_shape, dim = 1 : (tensor<?xi32>) -> tensor<?x4xi8>
  return
}

// -----

func.func @dynamic_iota_c1(%output_shape: tensor<2xi64>) {
  // expected-error@+1 {{iota dimension cannot go beyond the output rank.}}
  %0 = stablehlo.dynamic_iota %output_shape, dim = 2 : (tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @dynamic_iota_c1_negative(%output_shape: tensor<2xi64>) {
  // expected-error@+1 {{attribute 'iota_dimension' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = "stablehlo.dynamic_iota"(%output_shape) {iota_dimension = -1 : i64} : (tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @dynamic_iota_c2_value() {
  %output_shape = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
  // expected-error@+1 {{output shape [3, 4] is incompatible with return type of operation 'tensor<3x5xi32>'}}
  %0 = stablehlo.dynamic_iota %output_shape, dim = 0 : (tensor<2xi64>) -> tensor<3x5xi32>
  return
}

// -----

func.func @dynamic_iota_i1(%output_shape: tensor<1x2xi64>) {
  // expected-error@+1 {{operand #0 must be statically shaped 1-dimensional tensor of}}
  %0 = stablehlo.dynamic_iota %output_shape, dim = 1 : (tensor<1x2xi64>) -> tensor<?x?xf32>
  return
}
