// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @conv() attributes {numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>} {
  return
}

// -----

// expected-error@+1 {{Duplicate entries for spatial dimension 0}}
func.func @conv_duplicate() attributes {numbers = #stablehlo.conv<[b, 0, 0, f]x[0, 1, i, o]->[b, 0, 1, f]>} {
  return
}

// -----

// expected-error@+1 {{Expected spatial dimensions 1 not specified}}
func.func @conv_missing_spatial() attributes {numbers = #stablehlo.conv<[b, 0, 2, f]x[0, 1, i, o]->[b, 0, 1, f]>} {
  return
}

// -----

// expected-error@+1 {{Unexpected dimension z, expecting f}}
func.func @conv_unknown_letter() attributes {numbers = #stablehlo.conv<[b, 0, 1, z]x[0, 1, i, o]->[b, 0, 1, f]>} {
  return
}

// -----

// expected-error@+1 {{Expected dimensions f not specified}}
func.func @conv_missing_feature() attributes {numbers = #stablehlo.conv<[b, 0, 1]x[0, 1, i, o]->[b, 0, 1, f]>} {
  return
}

// -----

// expected-error@+1 {{Unexpected dimension f, expecting i, o}}
func.func @conv_letter_of_the_kernel() attributes {numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, f, o]->[b, 0, 1, f]>} {
  return
}

// -----

// expected-error@+1 {{Unexpected dimension -1}}
func.func @conv_negative() attributes {numbers = #stablehlo.conv<[b, -1, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>} {
  return
}

// -----

// expected-error@+2 {{duplicated `offset_dims` entry}}
// expected-error@+1 {{failed parsing gather dimension numbers attribute}}
func.func @gather_duplicate() attributes {numbers = #stablehlo.gather<offset_dims = [0], offset_dims = [1], index_vector_dim = 0>} {
  return
}

// -----

// expected-error@+2 {{expected one of: `offset_dims`, `collapsed_slice_dims`, `operand_batching_dims`, `start_indices_batching_dims`, `start_index_map`, `index_vector_dim`}}
// expected-error@+1 {{failed parsing gather dimension numbers attribute}}
func.func @gather_unknown() attributes {numbers = #stablehlo.gather<offsets = [0], index_vector_dim = 0>} {
  return
}

// -----

// expected-error@+2 {{duplicated `index_vector_dim` entry}}
// expected-error@+1 {{failed parsing scatter dimension numbers attribute}}
func.func @scatter_duplicate() attributes {numbers = #stablehlo.scatter<index_vector_dim = 0, index_vector_dim = 0>} {
  return
}

// -----

// expected-error@+2 {{expected one of: `update_window_dims`, `inserted_window_dims`, `input_batching_dims`, `scatter_indices_batching_dims`, `scatter_dims_to_operand_dims`, `index_vector_dim`}}
// expected-error@+1 {{failed parsing scatter dimension numbers attribute}}
func.func @scatter_unknown() attributes {numbers = #stablehlo.scatter<window = [0]>} {
  return
}

// -----

// expected-error@+2 {{expected one of: `lhs_batching_dimensions`, `rhs_batching_dimensions`, `lhs_contracting_dimensions`, `rhs_contracting_dimensions`}}
// expected-error@+1 {{failed parsing dot dimension numbers attribute}}
func.func @dot_unknown() attributes {numbers = #stablehlo.dot<lhs = [0]>} {
  return
}

// -----

// expected-error@+2 {{expected '['}}
// expected-error@+1 {{failed parsing dot dimension numbers attribute}}
func.func @dot_not_a_list() attributes {numbers = #stablehlo.dot<lhs_batching_dimensions = 0>} {
  return
}

// -----

// expected-error@+2 {{expected ::mlir::stablehlo::Precision to be one of: DEFAULT, HIGH, HIGHEST}}
// expected-error@+1 {{failed to parse StableHLO_PrecisionAttr parameter 'value' which is to be a `::mlir::stablehlo::Precision`}}
func.func @precision_unknown() attributes {precision = #stablehlo<precision BEST>} {
  return
}

// -----

// expected-error@+1 {{unknown StableHLO attribute}}
func.func @unknown_attribute() attributes {something = #stablehlo.something<1>} {
  return
}
