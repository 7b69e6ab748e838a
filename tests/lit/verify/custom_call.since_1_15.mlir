// REQUIRES: stablehlo-1.15
// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @custom_call_buffer_operand_twice(%buffer: memref<2xf32>) {
  // expected-error@+1 {{buffer operand 0[] is used in output_operand_alias more than once}}
  %0:2 = "stablehlo.custom_call"(%buffer) {call_target_name = "fill", output_operand_aliases = [
    #stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>,
    #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 0, operand_tuple_indices = []>
  ]} : (memref<2xf32>) -> (memref<2xf32>, memref<2xf32>)
  return
}

// -----

func.func @custom_call_buffer_output_twice(%one: memref<2xf32>, %other: memref<2xf32>) {
  // expected-error@+1 {{buffer output [] is used in output_operand_alias more than once}}
  %0 = "stablehlo.custom_call"(%one, %other) {call_target_name = "fill", output_operand_aliases = [
    #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>,
    #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>
  ]} : (memref<2xf32>, memref<2xf32>) -> memref<2xf32>
  return
}
