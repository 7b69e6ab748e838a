// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @reduce_precision(%operand: tensor<6xf64>) {
  %0 = stablehlo.reduce_precision %operand, format = e5m10 : tensor<6xf64>
  return
}

// -----

func.func @reduce_precision_c3(%operand: tensor<6xf64>) {
  %0 = stablehlo.reduce_precision %operand, format = e8m0 : tensor<6xf64>
  return
}

// -----

func.func @reduce_precision_c1_dynamic(%operand: tensor<?xf64>) {
  %0 = stablehlo.reduce_precision %operand, format = e5m2 : (tensor<?xf64>) -> tensor<6xf64>
  return
}

// -----

func.func @reduce_precision_c1_bounded(%operand: tensor<?xf32, #stablehlo.bounds<3>>) {
  %0 = stablehlo.reduce_precision %operand, format = e5m2 : tensor<?xf32, #stablehlo.bounds<3>>
  return
}

// -----

func.func @reduce_precision_c1(%operand: tensor<6xf64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.reduce_precision %operand, format = e5m10 : (tensor<6xf64>) -> tensor<6xf32>
  return
}

// -----

func.func @reduce_precision_c1_shape(%operand: tensor<6xf64>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = stablehlo.reduce_precision %operand, format = e5m10 : (tensor<6xf64>) -> tensor<7xf64>
  return
}

// -----

func.func @reduce_precision_c2(%operand: tensor<6xf64>) {
  // expected-error@+1 {{attribute 'exponent_bits' failed to satisfy constraint: 32-bit signless integer attribute whose value is positive}}
  %0 = stablehlo.reduce_precision %operand, format = e0m10 : tensor<6xf64>
  return
}

// -----

func.func @reduce_precision_c3_invalid(%operand: tensor<6xf64>) {
  // expected-error@+1 {{attribute 'mantissa_bits' failed to satisfy constraint: 32-bit signless integer attribute whose value is non-negative}}
  %0 = "stablehlo.reduce_precision"(%operand) {exponent_bits = 5 : i32, mantissa_bits = -1 : i32}
      : (tensor<6xf64>) -> tensor<6xf64>
  return
}

// -----

func.func @reduce_precision_format(%operand: tensor<6xf64>) {
  // expected-error@+1 {{custom op 'stablehlo.reduce_precision' expected exponent mantissa in format e#m#, saw m10e5}}
  %0 = stablehlo.reduce_precision %operand, format = m10e5 : tensor<6xf64>
  return
}

// -----

func.func @reduce_precision_i1(%operand: tensor<6xi32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.reduce_precision %operand, format = e5m10 : tensor<6xi32>
  return
}
