// RUN: not stablehlo-translate --interpret --split-input-file %s 2>&1 | FileCheck %s

// CHECK: error: 'shape.cstr_eq' op has shapes [2, 3] and [4, 3], which differ
func.func @different_shapes() {
  %first = shape.const_shape [2, 3] : tensor<2xindex>
  %second = shape.const_shape [4, 3] : tensor<2xindex>
  %witness = shape.cstr_eq %first, %second : tensor<2xindex>, tensor<2xindex>
  return
}

// -----

// CHECK: error: 'shape.cstr_broadcastable' op has shapes (2, 3), (4, 3), which do not broadcast
func.func @no_broadcast() {
  %first = shape.const_shape [2, 3] : tensor<2xindex>
  %second = shape.const_shape [4, 3] : tensor<2xindex>
  %witness = shape.cstr_broadcastable %first, %second : tensor<2xindex>, tensor<2xindex>
  return
}

// -----

// CHECK: error: 'shape.cstr_require' op the shapes differ
func.func @requirement() {
  %first = shape.const_shape [2, 3] : tensor<2xindex>
  %second = shape.const_shape [4, 3] : tensor<2xindex>
  %same = shape.shape_eq %first, %second : tensor<2xindex>, tensor<2xindex>
  %witness = shape.cstr_require %same, "the shapes differ"
  return
}

// -----

// CHECK: error: 'shape.const_witness' op states a constraint that does not hold
func.func @witness() {
  %witness = shape.const_witness false
  return
}

// -----

// CHECK: error: 'tensor.dim' op asks for dimension 2 of a tensor of rank 1
func.func @dimension() {
  %operand = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %two = arith.constant 2 : index
  %size = tensor.dim %operand, %two : tensor<2xi64>
  return
}

// -----

// CHECK: error: 'tensor.extract' op asks for the element at [2] of a tensor of shape [2]
func.func @element() {
  %operand = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %two = arith.constant 2 : index
  %element = tensor.extract %operand[%two] : tensor<2xi64>
  return
}

// -----

// CHECK: error: 'stablehlo.dynamic_reshape' op the operand has 4 elements, the result would have 3
func.func @reshape() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %one = stablehlo.constant dense<[1]> : tensor<1xi64>
  %two = stablehlo.constant dense<[2]> : tensor<1xi64>
  %shape = stablehlo.add %one, %two : tensor<1xi64>
  %result = stablehlo.dynamic_reshape %operand, %shape : (tensor<4xi64>, tensor<1xi64>) -> tensor<?xi64>
  return
}

// -----

// CHECK: error: 'shape.get_extent' op asks for size 2 of a shape of rank 2
func.func @size() {
  %shape = shape.const_shape [2, 3] : tensor<2xindex>
  %two = arith.constant 2 : index
  %size = shape.get_extent %shape, %two : tensor<2xindex>, index -> index
  return
}
