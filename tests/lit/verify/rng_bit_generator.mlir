// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @rng_bit_generator(%initial_state: tensor<2xui64>) {
  %0:2 = stablehlo.rng_bit_generator %initial_state, algorithm = THREE_FRY
      : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>)
  return
}

// -----

func.func @rng_bit_generator_c2_philox(%initial_state: tensor<3xui64>) {
  %0:2 = stablehlo.rng_bit_generator %initial_state, algorithm = PHILOX
      : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xf64>)
  return
}

// -----

func.func @rng_bit_generator_c1(%initial_state: tensor<2xui64>) {
  // expected-error@+1 {{output state shape must be compatible with initial state shape. Got: 'tensor<2xui64>' and 'tensor<3xui64>'}}
  %0:2 = stablehlo.rng_bit_generator %initial_state, algorithm = DEFAULT
      : (tensor<2xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return
}

// -----

func.func @rng_bit_generator_algorithm(%initial_state: tensor<2xui64>) {
  // expected-error@+2 {{custom op 'stablehlo.rng_bit_generator' expected ::mlir::stablehlo::RngAlgorithm to be one of: DEFAULT, THREE_FRY, PHILOX}}
  // expected-error@+1 {{custom op 'stablehlo.rng_bit_generator' failed to parse StableHLO_RngAlgorithmAttr parameter 'value' which is to be a `::mlir::stablehlo::RngAlgorithm`}}
  %0:2 = stablehlo.rng_bit_generator %initial_state, algorithm = MERSENNE : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  return
}

// -----

func.func @rng_bit_generator_i1(%initial_state: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0:2 = stablehlo.rng_bit_generator %initial_state, algorithm = DEFAULT
      : (tensor<2xcomplex<f32>>) -> (tensor<2xcomplex<f32>>, tensor<4xui32>)
  return
}
