// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func private @one(tensor<2xf32>) -> tensor<2xf32>

func.func @no_replica(%x: tensor<2xf32>) {
  // expected-error@+1 {{`programs` attribute cannot be empty}}
  "interpreter.run_parallel"() {programs = []} : () -> ()
  return
}

// -----

func.func private @one(tensor<2xf32>) -> tensor<2xf32>

func.func @no_partition(%x: tensor<2xf32>) {
  // expected-error@+1 {{`programs` attribute cannot be empty}}
  "interpreter.run_parallel"() {programs = [[]]} : () -> ()
  return
}

// -----

func.func private @one(tensor<2xf32>) -> tensor<2xf32>

func.func @ragged_grid(%x: tensor<2xf32>) {
  // expected-error@+1 {{Sizes of second dimension of `programs` should all match 2 but got 1}}
  %0:3 = "interpreter.run_parallel"(%x, %x, %x) {programs = [[@one, @one], [@one]]} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func private @one(tensor<2xf32>) -> tensor<2xf32>

func.func @program_not_found(%x: tensor<2xf32>) {
  // expected-error@+1 {{Function "missing" not found}}
  %0 = "interpreter.run_parallel"(%x) {programs = [[@missing]]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @one(tensor<2xf32>) -> tensor<2xf32>

func.func @too_many_inputs(%x: tensor<2xf32>) {
  // expected-error@+1 {{Number of inputs (2) should match the sum of the number of inputs of all programs (1)}}
  %0 = "interpreter.run_parallel"(%x, %x) {programs = [[@one]]} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @one(tensor<2xf32>) -> tensor<2xf32>

func.func @too_many_results(%x: tensor<2xf32>) {
  // expected-error@+1 {{Number of results (2) should match the sum of the number of results of all programs (1)}}
  %0:2 = "interpreter.run_parallel"(%x) {programs = [[@one]]} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func private @one(tensor<2xf32>) -> tensor<2xf32>

func.func @empty_infeed(%x: tensor<2xf32>) {
  // expected-error@+1 {{infeed attribute is optional or should not be empty}}
  %0 = "interpreter.run_parallel"(%x) {infeed = [], programs = [[@one]]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @one(tensor<2xf32>) -> tensor<2xf32>

func.func @infeed_not_found(%x: tensor<2xf32>) {
  // expected-error@+1 {{Function "missing" not found}}
  %0 = "interpreter.run_parallel"(%x) {infeed = [@missing], programs = [[@one]]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @one(tensor<2xf32>) -> tensor<2xf32>
func.func private @two() -> (tensor<f32>, tensor<f32>)

func.func @infeed_of_two_tensors(%x: tensor<2xf32>) {
  // expected-error@+1 {{Function "two" should return 1 tensor but returns 2}}
  %0 = "interpreter.run_parallel"(%x) {infeed = [@two], programs = [[@one]]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @one(tensor<2xf32>) -> tensor<2xf32>
func.func private @token() -> !stablehlo.token

func.func @infeed_of_a_token(%x: tensor<2xf32>) {
  // expected-error@+1 {{Function "token" should return a tensor type, but instead returns '!stablehlo.token'}}
  %0 = "interpreter.run_parallel"(%x) {infeed = [@token], programs = [[@one]]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}
