// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @operand_types(%lhs: tensor<2xf32>, %rhs: tensor<2xf32>) {
  // expected-error@+1 {{custom op 'stablehlo.add' 2 operands present, but expected 1}}
  %0 = stablehlo.add %lhs, %rhs : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @result_types(%lhs: tensor<2xf32>, %rhs: tensor<2xf32>) {
  // expected-error@+1 {{custom op 'stablehlo.add' expected single output}}
  %0 = stablehlo.add %lhs, %rhs : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @variadic_operand_types(%lhs: tensor<2xf32>, %rhs: tensor<2xf32>) {
  // expected-error@+1 {{custom op 'stablehlo.clamp' 3 operands present, but expected 2}}
  %0 = stablehlo.clamp %lhs, %rhs, %rhs : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @parts_of_a_real_number(%real: tensor<2xf32>, %imag: tensor<2xf32>) {
  // expected-error@+1 {{custom op 'stablehlo.complex' expected tensor with complex element type}}
  %0 = stablehlo.complex %real, %imag : tensor<2xf32>
  return
}

// -----

func.func @tuple_of_no_tuple_type(%value: tensor<2xf32>) {
  // expected-error@+1 {{custom op 'stablehlo.tuple' expected tuple type}}
  %0 = stablehlo.tuple %value : tensor<2xf32>
  return
}

// -----

func.func @pairwise_types(%value: tensor<2xf32>) {
  // expected-error@+2 {{expected non-function type}}
  // expected-error@+1 {{custom op 'stablehlo.optimization_barrier' expected type list}}
  %0 = stablehlo.optimization_barrier %value : 2xf32
  return
}

// -----

func.func @select_types(%pred: tensor<2xi1>, %on_true: tensor<2xf32>, %on_false: tensor<2xf32>) {
  // expected-error@+1 {{custom op 'stablehlo.select' expected functional type or list of two types}}
  %0 = stablehlo.select %pred, %on_true, %on_false : tensor<2xi1>
  return
}

// -----

func.func @reduce_precision_format(%operand: tensor<2xf32>) {
  // expected-error@+1 {{custom op 'stablehlo.reduce_precision' expected exponent mantissa in format e#m#, saw m5e10}}
  %0 = stablehlo.reduce_precision %operand, format = m5e10 : tensor<2xf32>
  return
}

// -----

func.func @reduce_precision_exponent(%operand: tensor<2xf32>) {
  // expected-error@+1 {{custom op 'stablehlo.reduce_precision' unable to parse exponent '99999999999'}}
  %0 = stablehlo.reduce_precision %operand, format = e99999999999m10 : tensor<2xf32>
  return
}

// -----

func.func @reduce_precision_mantissa(%operand: tensor<2xf32>) {
  // expected-error@+1 {{custom op 'stablehlo.reduce_precision' unable to parse mantissa '99999999999'}}
  %0 = stablehlo.reduce_precision %operand, format = e5m99999999999 : tensor<2xf32>
  return
}

// -----

func.func @reduce_type(%input: tensor<2xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{custom op 'stablehlo.reduce' invalid kind of type specified: expected builtin.function, but found 'tensor<f32>'}}
  %0 = stablehlo.reduce(%input init: %init) applies stablehlo.add across dimensions = [0] : tensor<f32>
  return
}

// -----

func.func @reduce_without_input_types(%input: tensor<2xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{custom op 'stablehlo.reduce' input types missing in reduce-op function type}}
  %0 = stablehlo.reduce(%input init: %init) applies stablehlo.add across dimensions = [0] : () -> tensor<f32>
  return
}

// -----

func.func @reduce_with_an_op_that_does_not_commute(%input: tensor<2xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{custom op 'stablehlo.reduce' expected the inner-op to be a commutative binary-op from the stablehlo dialect, with zero region, producing single result}}
  %0 = stablehlo.reduce(%input init: %init) applies stablehlo.subtract across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @window_word(%lhs: tensor<1x8x8x3xf32>, %rhs: tensor<3x3x3x16xf32>) {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    // expected-error@+1 {{custom op 'stablehlo.convolution' Unexpected keyword size}}
    window = {stride = [1, 1], size = [3, 3]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64}
    : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @window_word_twice(%lhs: tensor<1x8x8x3xf32>, %rhs: tensor<3x3x3x16xf32>) {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    // expected-error@+1 {{custom op 'stablehlo.convolution' Unexpected keyword stride}}
    window = {stride = [1, 1], stride = [1, 1]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64}
    : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @window_pads(%lhs: tensor<1x8x8x3xf32>, %rhs: tensor<3x3x3x16xf32>) {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    // expected-error@+1 {{custom op 'stablehlo.convolution' Expected array with 2 elements, got 3 elements instead}}
    window = {pad = [[1, 1, 1], [0, 0]]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64}
    : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x6x6x16xf32>
  return
}

// -----

// expected-error@+1 {{Unexpected dimension -1}}
#numbers = #stablehlo.conv<[b, -1, f]x[0, i, o]->[b, 0, f]>

// -----

// expected-error@+1 {{Duplicate entries for spatial dimension 0}}
#numbers = #stablehlo.conv<[b, 0, 0, f]x[0, 1, i, o]->[b, 0, 1, f]>

// -----

// expected-error@+1 {{Unexpected keyword feature}}
#numbers = #stablehlo.conv<[b, 0, feature]x[0, i, o]->[b, 0, f]>

// -----

// expected-error@+1 {{Unexpected keyword b}}
#numbers = #stablehlo.conv<[b, 0, f, b]x[0, i, o]->[b, 0, f]>

// -----

// expected-error@+1 {{Unexpected dimension o, expecting f}}
#numbers = #stablehlo.conv<[b, 0, o]x[0, i, o]->[b, 0, f]>

// -----

// expected-error@+1 {{Expected dimensions f not specified}}
#numbers = #stablehlo.conv<[b, 0]x[0, i, o]->[b, 0, f]>

// -----

// expected-error@+1 {{Expected spatial dimensions 1 not specified}}
#numbers = #stablehlo.conv<[b, 0, 2, f]x[0, 1, i, o]->[b, 0, 1, f]>

// -----

// expected-error@+1 {{expected integer value}}
#bounds = #stablehlo.bounds<"a">
