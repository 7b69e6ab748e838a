// RUN: not stablehlo-opt %s --split-input-file 2>&1 | FileCheck %s

// The source names the op where the message does not.
// CHECK: error: limit index 9 is larger than dimension size 5 in dimension 0
// CHECK: note: this breaks constraint C3 of slice: bounds are in order and within operand; --explain-op=slice lists all
func.func @named_by_the_source(%operand: tensor<5xi32>) -> tensor<8xi32> {
  %0 = stablehlo.slice %operand [1:9] : (tensor<5xi32>) -> tensor<8xi32>
  return %0 : tensor<8xi32>
}

// -----

// CHECK: error: 'stablehlo.uniform_dequantize' op all non-scalar operands/results must have the same shape and base type
// CHECK: note: this breaks constraint C1 of uniform_dequantize
func.func @named_by_the_message(%operand: tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<2xf32> {
  %0 = stablehlo.uniform_dequantize %operand : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: error: 'stablehlo.tanh' op operand #0 must be ranked tensor
// CHECK-NOT: this breaks
// CHECK: error: use of undeclared SSA value name
func.func @no_constraint(%operand: tensor<4xi32>) -> tensor<4xi32> {
  %0 = stablehlo.tanh %operand : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @not_a_verifier() -> tensor<4xi32> {
  return %operand : tensor<4xi32>
}

// -----

// Columns count bytes: the op stands behind characters that have several.
// CHECK: error: all dimensions should be between [0, 1). Got dimension: 3.
// CHECK: note: this breaks constraint C3 of reverse
func.func @behind_characters_of_several_bytes(%operand: tensor<2xi16>) {
  %0 = stablehlo.custom_call @"é🙂é🙂"(%operand) : (tensor<2xi16>) -> tensor<2xi16> %1 = "stablehlo.reverse"(%0) {dimensions = array<i64: 3>} : (tensor<2xi16>) -> tensor<2xi16>
  return
}

// -----

// CHECK: note: did you mean f32?
func.func @type_behind_characters_of_several_bytes(%operand: tensor<2xf32>) {
  %0 = stablehlo.custom_call @"é🙂é🙂"(%operand) : (tensor<2xf32>) -> tensor<2xf32> %1 = stablehlo.abs %0 : tensor<2xfloat32>
  return
}
