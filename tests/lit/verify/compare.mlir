// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @compare(%lhs: tensor<2x3xi32>, %rhs: tensor<2x3xi32>) {
  %0 = stablehlo.compare LT, %lhs, %rhs, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
  return
}

// -----

func.func @compare_c1_dynamic(%lhs: tensor<?xf32>, %rhs: tensor<4xf32>) {
  %0 = stablehlo.compare EQ, %lhs, %rhs : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xi1>
  return
}

// -----

func.func @compare_c2_bounded(%lhs: tensor<?xf32, #stablehlo.bounds<4>>, %rhs: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = stablehlo.compare NE, %lhs, %rhs
      : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xi1, #stablehlo.bounds<4>>
  return
}

// -----

func.func @compare_c1_quantized(%lhs: tensor<2x!quant.uniform<i8:f32, 0.5:1>>, %rhs: tensor<2x!quant.uniform<i8:f32, 0.25:3>>) {
  %0 = stablehlo.compare GE, %lhs, %rhs
      : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<2xi1>
  return
}

// -----

func.func @compare_c3_float(%lhs: tensor<5xf32>, %rhs: tensor<5xf32>) {
  %0 = stablehlo.compare GT, %lhs, %rhs, TOTALORDER : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  return
}

// -----

func.func @compare_c1(%lhs: tensor<2x3xi32>, %rhs: tensor<2x3xi64>) {
  // expected-error@+1 {{requires compatible element types for all operands}}
  %0 = stablehlo.compare LT, %lhs, %rhs : (tensor<2x3xi32>, tensor<2x3xi64>) -> tensor<2x3xi1>
  return
}

// -----

func.func @compare_c1_quantized_invalid(%lhs: tensor<2x!quant.uniform<i8:f32, 0.5:1>>, %rhs: tensor<2x!quant.uniform<i8:f16, 0.25:3>>) {
  // expected-error@+1 {{requires compatible element types for all operands}}
  %0 = stablehlo.compare GE, %lhs, %rhs
      : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x!quant.uniform<i8:f16, 0.25:3>>) -> tensor<2xi1>
  return
}

// -----

func.func @compare_c2(%lhs: tensor<2x3xi32>, %rhs: tensor<3x2xi32>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = stablehlo.compare LT, %lhs, %rhs : (tensor<2x3xi32>, tensor<3x2xi32>) -> tensor<2x3xi1>
  return
}

// -----

func.func @compare_c2_result(%lhs: tensor<2x3xi32>, %rhs: tensor<2x3xi32>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = stablehlo.compare LT, %lhs, %rhs : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x4xi1>
  return
}

// -----

func.func @compare_o1(%lhs: tensor<2x3xi32>, %rhs: tensor<2x3xi32>) {
  // expected-error@+1 {{result #0 must be ranked tensor of}}
  %0 = stablehlo.compare LT, %lhs, %rhs : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi8>
  return
}

// -----

func.func @compare_direction(%lhs: tensor<2xi32>, %rhs: tensor<2xi32>) {
  // expected-error@+2 {{custom op 'stablehlo.compare' expected ::mlir::stablehlo::ComparisonDirection to be one of: EQ, NE, GE, GT, LE, LT}}
  // expected-error@+1 {{custom op 'stablehlo.compare' failed to parse StableHLO_ComparisonDirectionAttr parameter 'value' which is to be a `::mlir::stablehlo::ComparisonDirection`}}
  %0 = stablehlo.compare UNORDERED, %lhs, %rhs : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  return
}
