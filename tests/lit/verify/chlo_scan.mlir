// REQUIRES: op-chlo.scan
// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @nothing_to_scan(%init: tensor<6xf32>) {
  // expected-error@+1 {{at least one of inputs or outputs must be present}}
  %0 = "chlo.scan"(%init) ({
    ^bb0(%carry: tensor<6xf32>):
      stablehlo.return %carry : tensor<6xf32>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 0, 1>, resultSegmentSizes = array<i32: 0, 1>} : (tensor<6xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @unranked_input(%input: tensor<*xf32>, %init: tensor<6xf32>) {
  // expected-error@+1 {{operand 0 is not ranked}}
  %0:2 = "chlo.scan"(%input, %init) ({
    ^bb0(%row: tensor<6xf32>, %carry: tensor<6xf32>):
      stablehlo.return %row, %carry : tensor<6xf32>, tensor<6xf32>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<*xf32>, tensor<6xf32>) -> (tensor<4x6xf32>, tensor<6xf32>)
  return
}

// -----

func.func @dimension_out_of_bounds(%input: tensor<4x6xf32>, %init: tensor<6xf32>) {
  // expected-error@+1 {{scan dimension of operand 0 is out of bounds}}
  %0:2 = "chlo.scan"(%input, %init) ({
    ^bb0(%row: tensor<6xf32>, %carry: tensor<6xf32>):
      stablehlo.return %row, %carry : tensor<6xf32>, tensor<6xf32>
  }) {dimension = 2 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<4x6xf32>, tensor<6xf32>) -> (tensor<4x6xf32>, tensor<6xf32>)
  return
}

// -----

func.func @different_lengths(%left: tensor<4x6xf32>, %right: tensor<5x6xf32>) {
  // expected-error@+1 {{invalid scan dimension size of operand 1}}
  %0 = "chlo.scan"(%left, %right) ({
    ^bb0(%one: tensor<6xf32>, %other: tensor<6xf32>):
      stablehlo.return %one : tensor<6xf32>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 2, 0>, resultSegmentSizes = array<i32: 1, 0>} : (tensor<4x6xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @too_few_parameters(%input: tensor<4x6xf32>, %init: tensor<6xf32>) {
  // expected-error@+1 {{expects 2 arguments in the body, but got 1}}
  %0:2 = "chlo.scan"(%input, %init) ({
    ^bb0(%row: tensor<6xf32>):
      stablehlo.return %row, %row : tensor<6xf32>, tensor<6xf32>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<4x6xf32>, tensor<6xf32>) -> (tensor<4x6xf32>, tensor<6xf32>)
  return
}

// -----

func.func @parameter_of_another_type(%input: tensor<4x6xf32>, %init: tensor<6xf32>) {
  // expected-error@+1 {{operand and body argument 0 are incompatible}}
  %0:2 = "chlo.scan"(%input, %init) ({
    ^bb0(%row: tensor<6xi32>, %carry: tensor<6xf32>):
      stablehlo.return %carry, %carry : tensor<6xf32>, tensor<6xf32>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<4x6xf32>, tensor<6xf32>) -> (tensor<4x6xf32>, tensor<6xf32>)
  return
}

// -----

func.func @too_few_results(%input: tensor<4x6xf32>, %init: tensor<6xf32>) {
  // expected-error@+2 {{ScanOp body must return at least 1 values (carries)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "chlo.scan"(%input, %init) ({
    ^bb0(%row: tensor<6xf32>, %carry: tensor<6xf32>):
      stablehlo.return
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 0, 1>} : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @pretty_operand_types(%input: tensor<4x6xf32>, %init: tensor<6xf32>) {
  // expected-error@+1 {{custom op 'chlo.scan' operand types must match the number of inputs and inits}}
  %0:2 = chlo.scan (%input) inits (%init) dimension = 0 {
    ^bb0(%row: tensor<6xf32>, %carry: tensor<6xf32>):
      stablehlo.return %row, %carry : tensor<6xf32>, tensor<6xf32>
  } : (tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<6xf32>)
  return
}

// -----

func.func @pretty_result_types(%input: tensor<4x6xf32>, %init: tensor<6xf32>) {
  // expected-error@+1 {{custom op 'chlo.scan' not enough result types to cover the required carries}}
  chlo.scan (%input) inits (%init) dimension = 0 {
    ^bb0(%row: tensor<6xf32>, %carry: tensor<6xf32>):
      stablehlo.return %row, %carry : tensor<6xf32>, tensor<6xf32>
  } : (tensor<4x6xf32>, tensor<6xf32>) -> ()
  return
}

// -----

func.func @unranked_result(%input: tensor<4x6xf32>, %init: tensor<6xf32>, %unranked: tensor<*xf32>) {
  %0:2 = "chlo.scan"(%input, %init) ({
    ^bb0(%row: tensor<6xf32>, %carry: tensor<6xf32>):
      // expected-error@+1 {{operand #0 must be variadic of ranked tensor}}
      stablehlo.return %unranked, %carry : tensor<*xf32>, tensor<6xf32>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}
    : (tensor<4x6xf32>, tensor<6xf32>) -> (tensor<4x6xf32>, tensor<6xf32>)
  return
}
