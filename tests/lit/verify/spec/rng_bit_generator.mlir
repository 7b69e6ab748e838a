// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics --stablehlo-verify-spec
// RUN: stablehlo-opt %s --split-input-file -o %t

func.func @rng_bit_generator_c1_element_type_gap(%initial_state: tensor<2xui64>) {
  // expected-error@+1 {{breaks C1 (the state keeps its type): initial_state is tensor<2xui64>, output_state is tensor<2xui32>}}
  %0:2 = stablehlo.rng_bit_generator %initial_state, algorithm = DEFAULT
      : (tensor<2xui64>) -> (tensor<2xui32>, tensor<4xui32>)
  return
}

// -----

func.func @rng_bit_generator_c2_three_fry_gap(%initial_state: tensor<3xui64>) {
  // expected-error@+1 {{breaks C2 (the state has the algorithm's size): initial_state is tensor<3xui64>, rng_algorithm is #stablehlo<rng_algorithm THREE_FRY>}}
  %0:2 = stablehlo.rng_bit_generator %initial_state, algorithm = THREE_FRY
      : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return
}

// -----

func.func @rng_bit_generator_c2_philox_gap(%initial_state: tensor<4xui64>) {
  // expected-error@+1 {{breaks C2 (the state has the algorithm's size): initial_state is tensor<4xui64>, rng_algorithm is #stablehlo<rng_algorithm PHILOX>}}
  %0:2 = stablehlo.rng_bit_generator %initial_state, algorithm = PHILOX
      : (tensor<4xui64>) -> (tensor<4xui64>, tensor<4xui32>)
  return
}
