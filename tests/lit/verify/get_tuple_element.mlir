// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @get_tuple_element(%operand: tuple<tensor<2xf32>, tensor<i1>>) {
  %0 = stablehlo.get_tuple_element %operand[1] : (tuple<tensor<2xf32>, tensor<i1>>) -> tensor<i1>
  return
}

// -----

func.func @get_tuple_element_c1(%operand: tuple<tensor<2xf32>, tensor<i1>>) {
  // expected-error@+2 {{index 2 is out of bounds of operand with size 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.get_tuple_element %operand[2] : (tuple<tensor<2xf32>, tensor<i1>>) -> tensor<i1>
  return
}

// -----

func.func @get_tuple_element_c1_negative(%operand: tuple<tensor<2xf32>, tensor<i1>>) {
  // expected-error@+1 {{attribute 'index' failed to satisfy constraint: 32-bit signless integer attribute whose value is non-negative}}
  %0 = "stablehlo.get_tuple_element"(%operand) {index = -1 : i32} : (tuple<tensor<2xf32>, tensor<i1>>) -> tensor<i1>
  return
}

// -----

func.func @get_tuple_element_c2(%operand: tuple<tensor<2xf32>, tensor<i1>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<i1>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.get_tuple_element %operand[0] : (tuple<tensor<2xf32>, tensor<i1>>) -> tensor<i1>
  return
}

// -----

func.func @get_tuple_element_i1(%operand: tensor<2xf32>) {
  // expected-error@+1 {{operand #0 must be nested tuple with any combination of}}
  %0 = "stablehlo.get_tuple_element"(%operand) {index = 0 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  return
}
