// RUN: stablehlo-opt %s --stablehlo-refine-shapes --split-input-file --verify-diagnostics

// Operands that hold the shapes of results: `indices_of_shape_operands` has to fit the custom call.
func.func @main(%operand: tensor<2xf32>) -> tensor<?xf32> {
  %shape = stablehlo.constant dense<2> : tensor<1xi64>
  // expected-error@+1 {{indices_of_shape_operands: number of elements (2) must be equal to the number of operation results (1)}}
  %0 = stablehlo.custom_call @rows(%operand, %shape) {indices_of_shape_operands = dense<[1, 1]> : tensor<2xi64>} : (tensor<2xf32>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @main(%operand: tensor<2xf32>) -> tuple<tensor<?xf32>, tensor<?xf32>> {
  %shape = stablehlo.constant dense<2> : tensor<1xi64>
  // expected-error@+1 {{indices_of_shape_operands: number of elements (1) must be equal to the number of operation results (2), with tuples flattened}}
  %0 = stablehlo.custom_call @rows(%operand, %shape) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<2xf32>, tensor<1xi64>) -> tuple<tensor<?xf32>, tensor<?xf32>>
  return %0 : tuple<tensor<?xf32>, tensor<?xf32>>
}

// -----

func.func @main(%operand: tensor<2xf32>) -> tensor<?xf32> {
  %shape = stablehlo.constant dense<2> : tensor<1xi64>
  // expected-error@+1 {{indices_of_shape_operands: must have rank = 1}}
  %0 = stablehlo.custom_call @rows(%operand, %shape) {indices_of_shape_operands = dense<1> : tensor<1x1xi64>} : (tensor<2xf32>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @main(%operand: tensor<2xf32>) -> tensor<?xf32> {
  %shape = stablehlo.constant dense<2> : tensor<1xi64>
  // expected-error@+1 {{indices_of_shape_operands: must have i64 element type}}
  %0 = stablehlo.custom_call @rows(%operand, %shape) {indices_of_shape_operands = dense<1> : tensor<1xi32>} : (tensor<2xf32>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @main(%operand: tensor<2xf32>) -> tensor<?xf32> {
  %shape = stablehlo.constant dense<2> : tensor<1xi64>
  // expected-error@+1 {{indices_of_shape_operands: index #0 (2) must be within bounds for operation operands (from 0 to 2)}}
  %0 = stablehlo.custom_call @rows(%operand, %shape) {indices_of_shape_operands = dense<2> : tensor<1xi64>} : (tensor<2xf32>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @main(%operand: tensor<2xf32>) -> tensor<?xf32> {
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  // expected-error@+1 {{indices_of_shape_operands: refinement #0 ([2, 3]) must be compatible with operation result #0 ('tensor<?xf32>')}}
  %0 = stablehlo.custom_call @rows(%operand, %shape) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<2xf32>, tensor<2xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
