// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @custom_call(%input: tensor<2x3xf32>) {
  %0 = stablehlo.custom_call @my_target(%input) {has_side_effect = true, backend_config = "fast"}
      : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @custom_call_layouts(%input: tensor<2x3xf32>) {
  %0 = stablehlo.custom_call @my_target(%input) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]}
      : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @custom_call_typed_ffi(%input: tensor<2x3xf32>) {
  %0 = stablehlo.custom_call @my_target(%input) {api_version = 4 : i32, backend_config = {mode = "fast"}}
      : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @custom_call_aliasing(%input0: tensor<4xf32>, %input1: tensor<2x3xf32>) {
  %0 = stablehlo.custom_call @my_target(%input0, %input1) {
    output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>]
  } : (tensor<4xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_layouts_one_sided(%input: tensor<2x3xf32>) {
  // expected-error@+1 {{Layout attributes should be specified for either both operands and results or none.}}
  %0 = stablehlo.custom_call @my_target(%input) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>]}
      : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @custom_call_layouts_operands(%input: tensor<2x3xf32>) {
  // expected-error@+1 {{Number of operands must match the number of operand layouts, 1 != 0}}
  %0 = stablehlo.custom_call @my_target(%input) {operand_layouts = [], result_layouts = [dense<[1, 0]> : tensor<2xindex>]}
      : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @custom_call_layouts_results(%input: tensor<2x3xf32>) {
  // expected-error@+1 {{Number of results must match the number of result layouts, 1 != 0}}
  %0 = stablehlo.custom_call @my_target(%input) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = []}
      : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @custom_call_layouts_permutation(%input: tensor<2x3xf32>) {
  // expected-error@+1 {{incorrect layout dense<[0, 2]> : tensor<2xindex> for type 'tensor<2x3xf32>', layout must be a permutation of [0, 2)}}
  %0 = stablehlo.custom_call @my_target(%input) {operand_layouts = [dense<[0, 2]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]}
      : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @custom_call_layouts_token(%input: !stablehlo.token) {
  // expected-error@+1 {{Only tensor types can have non-empty layout: operand #0 of type '!stablehlo.token' has layout dense<0> : tensor<1xindex>}}
  %0 = stablehlo.custom_call @my_target(%input) {operand_layouts = [dense<[0]> : tensor<1xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]}
      : (!stablehlo.token) -> tensor<3x2xf32>
  return
}

// -----

func.func @custom_call_layouts_tuple(%input: tuple<tensor<2xf32>>) {
  // expected-error@+1 {{Tuple types are not fully supported with layout constraints yet}}
  %0 = stablehlo.custom_call @my_target(%input) {operand_layouts = [dense<[0]> : tensor<1xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]}
      : (tuple<tensor<2xf32>>) -> tensor<3x2xf32>
  return
}

// -----

func.func @custom_call_backend_config_string(%input: tensor<2x3xf32>) {
  // expected-error@+1 {{backend_config for api_version API_VERSION_STATUS_RETURNING must be a string attribute.}}
  %0 = stablehlo.custom_call @my_target(%input) {api_version = 2 : i32, backend_config = {mode = "fast"}}
      : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @custom_call_backend_config_dictionary(%input: tensor<2x3xf32>) {
  // expected-error@+1 {{backend_config for api_version API_VERSION_TYPED_FFI must be a dictionary attribute.}}
  %0 = stablehlo.custom_call @my_target(%input) {api_version = 4 : i32, backend_config = "fast"}
      : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @custom_call_aliasing_operand(%input: tensor<4xf32>) {
  // expected-error@+1 {{expects operandIndex in the output_operand_alias attribute to be in range [0, 1); got: 1.}}
  %0 = stablehlo.custom_call @my_target(%input) {
    output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>]
  } : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @custom_call_aliasing_operand_tuple(%input: tuple<tensor<4xf32>>) {
  // expected-error@+1 {{operand_tuple_indices in the output_operand_alias attribute out of bounds}}
  %0 = stablehlo.custom_call @my_target(%input) {
    output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = [1]>]
  } : (tuple<tensor<4xf32>>) -> tensor<4xf32>
  return
}

// -----

func.func @custom_call_aliasing_output_tuple(%input: tensor<4xf32>) {
  // expected-error@+1 {{output_tuple_indices in the output_operand_alias attribute out of bounds}}
  %0 = stablehlo.custom_call @my_target(%input) {
    output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [3], operand_index = 0, operand_tuple_indices = []>]
  } : (tensor<4xf32>) -> tuple<tensor<4xf32>, tensor<4xf32>>
  return
}

// -----

func.func @custom_call_aliasing_shapes(%input: tensor<4xf32>) {
  // expected-error@+1 {{shapes mismatch in the output_operand_alias attribute: operand part has type 'tensor<4xf32>' and output part has type 'tensor<5xf32>'}}
  %0 = stablehlo.custom_call @my_target(%input) {
    output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]
  } : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @custom_call_call_target_name(%input: tensor<4xf32>) {
  // expected-error@+1 {{requires attribute 'call_target_name'}}
  %0 = "stablehlo.custom_call"(%input) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @custom_call_create_buffer_input(%input: tensor<4xf32>) {
  // expected-error@+1 {{CreateBuffer custom_call shouldn't have any inputs}}
  %0 = stablehlo.custom_call @CreateBuffer(%input) : (tensor<4xf32>) -> memref<4xf32>
  return
}

// -----

func.func @custom_call_create_buffer_result() {
  // expected-error@+1 {{CreateBuffer custom_call should have a memref result}}
  %0 = stablehlo.custom_call @CreateBuffer() : () -> tensor<4xf32>
  return
}

// -----

func.func @custom_call_create_buffer_results() {
  // expected-error@+1 {{CreateBuffer custom_call should have one result}}
  %0:2 = stablehlo.custom_call @CreateBuffer() : () -> (memref<4xf32>, memref<4xf32>)
  return
}

// -----

func.func @custom_call_pin_input(%input: memref<4xf32>) {
  // expected-error@+1 {{Pin custom_call should have a tensor input}}
  %0 = stablehlo.custom_call @Pin(%input) : (memref<4xf32>) -> memref<4xf32>
  return
}

// -----

func.func @custom_call_pin_inputs(%input: tensor<4xf32>) {
  // expected-error@+1 {{Pin custom_call should have one input}}
  %0 = stablehlo.custom_call @Pin(%input, %input) : (tensor<4xf32>, tensor<4xf32>) -> memref<4xf32>
  return
}

// -----

func.func @custom_call_pin_output(%input: tensor<4xf32>) {
  // expected-error@+1 {{Pin custom_call should have a memref output}}
  %0 = stablehlo.custom_call @Pin(%input) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @custom_call_pin_outputs(%input: tensor<4xf32>) {
  // expected-error@+1 {{Pin custom_call should have one output}}
  %0:2 = stablehlo.custom_call @Pin(%input) : (tensor<4xf32>) -> (memref<4xf32>, memref<4xf32>)
  return
}

// -----

func.func @custom_call_pin_types(%input: tensor<4xf32>) {
  // expected-error@+1 {{Pin custom_call should have compatible input and output types}}
  %0 = stablehlo.custom_call @Pin(%input) : (tensor<4xf32>) -> memref<5xf32>
  return
}

// -----

func.func @custom_call_unpin_input(%input: tensor<4xf32>) {
  // expected-error@+1 {{Unpin custom_call should have a memref input}}
  %0 = stablehlo.custom_call @Unpin(%input) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @custom_call_unpin_inputs(%input: memref<4xf32>) {
  // expected-error@+1 {{Unpin custom_call should have one input}}
  %0 = stablehlo.custom_call @Unpin(%input, %input) : (memref<4xf32>, memref<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @custom_call_unpin_output(%input: memref<4xf32>) {
  // expected-error@+1 {{Unpin custom_call should have a tensor output}}
  %0 = stablehlo.custom_call @Unpin(%input) : (memref<4xf32>) -> memref<4xf32>
  return
}

// -----

func.func @custom_call_unpin_outputs(%input: memref<4xf32>) {
  // expected-error@+1 {{Unpin custom_call should have one output}}
  %0:2 = stablehlo.custom_call @Unpin(%input) : (memref<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @custom_call_unpin_types(%input: memref<4xf32>) {
  // expected-error@+1 {{Unpin custom_call should have compatible input and output types}}
  %0 = stablehlo.custom_call @Unpin(%input) : (memref<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @custom_call_memref_without_alias(%input: memref<4xf32>) {
  // expected-error@+1 {{buffer output [] is not used in output_operand_alias}}
  %0 = stablehlo.custom_call @my_target(%input) : (memref<4xf32>) -> memref<4xf32>
  return
}
