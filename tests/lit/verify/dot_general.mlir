// RUN: stablehlo-opt %s --split-input-file --verify-diagnostics

func.func @dot_general(%lhs: tensor<5x2x3xf32>, %rhs: tensor<5x3x4xf32>) {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  return
}

// -----

func.func @dot_general_outer_product(%lhs: tensor<2xi32>, %rhs: tensor<3xi32>) {
  %0 = "stablehlo.dot_general"(%lhs, %rhs) {dot_dimension_numbers = #stablehlo.dot<>}
      : (tensor<2xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @dot_general_c11(%lhs: tensor<3xf32>, %rhs: tensor<3xf32>) {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0], precision = [HIGHEST, HIGH]
      : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return
}

// -----

func.func @dot_general_c9_c10_dynamic(%lhs: tensor<?x2x?xf32>, %rhs: tensor<5x3x?xf32>) {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<?x2x?xf32>, tensor<5x3x?xf32>) -> tensor<5x2x?xf32>
  return
}

// -----

func.func @dot_general_c12_bounded(%lhs: tensor<?x3xf32, #stablehlo.bounds<6, ?>>, %rhs: tensor<3x4xf32>) {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0]
      : (tensor<?x3xf32, #stablehlo.bounds<6, ?>>, tensor<3x4xf32>) -> tensor<?x4xf32, #stablehlo.bounds<6, ?>>
  return
}

// -----

// The result may have another element type than the operands.
func.func @dot_general_c13(%lhs: tensor<3xi8>, %rhs: tensor<3xi8>) {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0] : (tensor<3xi8>, tensor<3xi8>) -> tensor<i32>
  return
}

// -----

func.func @dot_general_c14_c15_c17_c18_c19(%lhs: tensor<2x3x!quant.uniform<i8:f32, 0.5:4>>, %rhs: tensor<3x4x!quant.uniform<i8:f32, 0.25>>) {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0]
      : (tensor<2x3x!quant.uniform<i8:f32, 0.5:4>>, tensor<3x4x!quant.uniform<i8:f32, 0.25>>)
      -> tensor<2x4x!quant.uniform<i32:f32, 0.125>>
  return
}

// -----

func.func @dot_general_c16(%lhs: tensor<4x3x!quant.uniform<i8:f32, 0.5:4>>, %rhs: tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0]
      : (tensor<4x3x!quant.uniform<i8:f32, 0.5:4>>, tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>)
      -> tensor<4x2x!quant.uniform<i32:f32:1, {0.5, 0.25}>>
  return
}

// -----

// A hybrid dot: only the weights are quantized.
func.func @dot_general_c20(%lhs: tensor<4x3xf32>, %rhs: tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0]
      : (tensor<4x3xf32>, tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<4x2xf32>
  return
}

// -----

func.func @dot_general_c21_c22_c23_c24(%lhs: tensor<3xf32>, %rhs: tensor<3xf32>) {
  %0 = "stablehlo.dot_general"(%lhs, %rhs) {
    dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>,
    precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>],
    algorithm = #stablehlo.dot_algorithm<
      lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32,
      lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 6, allow_imprecise_accumulation = false>
  } : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return
}

// -----

func.func @dot_general_c1(%lhs: tensor<5x3xf32>, %rhs: tensor<5x3xf32>) {
  // expected-error@+1 {{lhs and rhs should have the same number of batching dimensions}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [], contracting_dims = [1] x [1]
      : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @dot_general_c2(%lhs: tensor<5x3xf32>, %rhs: tensor<5x3xf32>) {
  // expected-error@+1 {{lhs and rhs should have the same number of contracting dimensions}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [1] x []
      : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @dot_general_c3(%lhs: tensor<5x5xf32>, %rhs: tensor<5x5xf32>) {
  // expected-error@+1 {{has duplicated dimension from lhs_batching_dimensions and lhs_contracting_dimensions: 0}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [0] x [1]
      : (tensor<5x5xf32>, tensor<5x5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @dot_general_c3_batching(%lhs: tensor<5x5x3xf32>, %rhs: tensor<5x5x3xf32>) {
  // expected-error@+1 {{has duplicated dimension from lhs_batching_dimensions and lhs_contracting_dimensions: 0}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0, 0] x [0, 1], contracting_dims = [2] x [2]
      : (tensor<5x5x3xf32>, tensor<5x5x3xf32>) -> tensor<5x5xf32>
  return
}

// -----

func.func @dot_general_c4(%lhs: tensor<5x5xf32>, %rhs: tensor<5x5xf32>) {
  // expected-error@+1 {{has duplicated dimension from rhs_batching_dimensions and rhs_contracting_dimensions: 0}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [1] x [0]
      : (tensor<5x5xf32>, tensor<5x5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @dot_general_c4_contracting(%lhs: tensor<3x3xf32>, %rhs: tensor<3x3xf32>) {
  // expected-error@+1 {{has duplicated dimension from rhs_batching_dimensions and rhs_contracting_dimensions: 1}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0, 1] x [1, 1]
      : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<f32>
  return
}

// -----

func.func @dot_general_c5(%lhs: tensor<5x3xf32>, %rhs: tensor<5x3xf32>) {
  // expected-error@+1 {{lhs_batching_dimensions value: 2 is out of range: [0, 2)}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [2] x [0], contracting_dims = [1] x [1]
      : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @dot_general_c5_negative(%lhs: tensor<5x3xf32>, %rhs: tensor<5x3xf32>) {
  // expected-error@+1 {{lhs_batching_dimensions value: -1 is out of range: [0, 2)}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [-1] x [0], contracting_dims = [1] x [1]
      : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @dot_general_c6(%lhs: tensor<5x3xf32>, %rhs: tensor<5x3xf32>) {
  // expected-error@+1 {{lhs_contracting_dimensions value: 2 is out of range: [0, 2)}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @dot_general_c7(%lhs: tensor<5x3xf32>, %rhs: tensor<5x3xf32>) {
  // expected-error@+1 {{rhs_batching_dimensions value: 2 is out of range: [0, 2)}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [2], contracting_dims = [1] x [1]
      : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @dot_general_c8(%lhs: tensor<5x3xf32>, %rhs: tensor<5x3xf32>) {
  // expected-error@+1 {{rhs_contracting_dimensions value: -1 is out of range: [0, 2)}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [1] x [-1]
      : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @dot_general_c9(%lhs: tensor<5x3xf32>, %rhs: tensor<4x3xf32>) {
  // expected-error@+1 {{batching dimension sizes must match for lhs/rhs}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [1] x [1]
      : (tensor<5x3xf32>, tensor<4x3xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @dot_general_c10(%lhs: tensor<5x3xf32>, %rhs: tensor<5x4xf32>) {
  // expected-error@+1 {{contracting dimension sizes must match for lhs/rhs}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [1] x [1]
      : (tensor<5x3xf32>, tensor<5x4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @dot_general_c11_invalid(%lhs: tensor<3xf32>, %rhs: tensor<3xf32>) {
  // expected-error@+1 {{expects precision config to be empty or have <= 2 elements}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0], precision = [HIGHEST, HIGH, HIGH]
      : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return
}

// -----

func.func @dot_general_c12(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) {
  // expected-error@+1 {{inferred shape '[2, 4]' is incompatible with return type of operation 'tensor<4x2xf32>'}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0]
      : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @dot_general_c12_rank(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) {
  // expected-error@+1 {{inferred shape '[2, 4]' is incompatible with return type of operation 'tensor<8xf32>'}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0]
      : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @dot_general_c14_rhs(%lhs: tensor<3x!quant.uniform<i8:f32, 0.5:4>>, %rhs: tensor<3xf32>) {
  // expected-error@+1 {{rhs should be quantized for quantized operations and is_quantized(lhs)=is_quantized(result) should hold}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0]
      : (tensor<3x!quant.uniform<i8:f32, 0.5:4>>, tensor<3xf32>) -> tensor<!quant.uniform<i32:f32, 0.5>>
  return
}

// -----

func.func @dot_general_c14_result(%lhs: tensor<3x!quant.uniform<i8:f32, 0.5:4>>, %rhs: tensor<3x!quant.uniform<i8:f32, 0.25>>) {
  // expected-error@+1 {{rhs should be quantized for quantized operations and is_quantized(lhs)=is_quantized(result) should hold}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0]
      : (tensor<3x!quant.uniform<i8:f32, 0.5:4>>, tensor<3x!quant.uniform<i8:f32, 0.25>>) -> tensor<f32>
  return
}

// -----

func.func @dot_general_c15(%lhs: tensor<3x!quant.uniform<i8:f32, 0.5:4>>, %rhs: tensor<3x!quant.uniform<i8:f32, 0.25:2>>) {
  // expected-error@+1 {{Zero point of rhs should be 0}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0]
      : (tensor<3x!quant.uniform<i8:f32, 0.5:4>>, tensor<3x!quant.uniform<i8:f32, 0.25:2>>)
      -> tensor<!quant.uniform<i32:f32, 0.125>>
  return
}

// -----

func.func @dot_general_c15_per_axis(%lhs: tensor<4x3x!quant.uniform<i8:f32, 0.5:4>>, %rhs: tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25:7}>>) {
  // expected-error@+1 {{Zero points of rhs should be 0}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0]
      : (tensor<4x3x!quant.uniform<i8:f32, 0.5:4>>, tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25:7}>>)
      -> tensor<4x2x!quant.uniform<i32:f32:1, {0.5, 0.25}>>
  return
}

// -----

func.func @dot_general_c16_invalid(%lhs: tensor<4x2x!quant.uniform<i8:f32, 0.5:4>>, %rhs: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{Quantization dimension of rhs should not be in the contracting dimension of rhs}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0]
      : (tensor<4x2x!quant.uniform<i8:f32, 0.5:4>>, tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>)
      -> tensor<4x2x!quant.uniform<i32:f32:1, {0.5, 0.25}>>
  return
}

// -----

func.func @dot_general_c17(%lhs: tensor<3x!quant.uniform<i8:f32, 0.5:4>>, %rhs: tensor<3x!quant.uniform<i4:f32, 0.25>>) {
  // expected-error@+1 {{mismatched lhs and rhs quantization storage types}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0]
      : (tensor<3x!quant.uniform<i8:f32, 0.5:4>>, tensor<3x!quant.uniform<i4:f32, 0.25>>)
      -> tensor<!quant.uniform<i32:f32, 0.125>>
  return
}

// -----

func.func @dot_general_c18(%lhs: tensor<3x!quant.uniform<i8:f32, 0.5:4>>, %rhs: tensor<3x!quant.uniform<i8:f32, 0.25>>) {
  // expected-error@+1 {{mismatched lhs, rhs and result quantization expressed types}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0]
      : (tensor<3x!quant.uniform<i8:f32, 0.5:4>>, tensor<3x!quant.uniform<i8:f32, 0.25>>)
      -> tensor<!quant.uniform<i32:f64, 0.125>>
  return
}

// -----

func.func @dot_general_c19(%lhs: tensor<4x3x!quant.uniform<i8:f32, 0.5:4>>, %rhs: tensor<3x2x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{mismatched rhs and result quantization granularity}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0]
      : (tensor<4x3x!quant.uniform<i8:f32, 0.5:4>>, tensor<3x2x!quant.uniform<i8:f32, 0.5>>)
      -> tensor<4x2x!quant.uniform<i32:f32:1, {0.5, 0.25}>>
  return
}

// -----

func.func @dot_general_c20_invalid(%lhs: tensor<4x3xf16>, %rhs: tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) {
  // expected-error@+1 {{mismatched rhs quantization expressed type and lhs and result element type}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0]
      : (tensor<4x3xf16>, tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<4x2xf32>
  return
}

// -----

func.func @dot_general_c21(%lhs: tensor<3xf32>, %rhs: tensor<3xf32>) {
  // expected-error@+1 {{must specify DEFAULT precision config when algorithm is set.}}
  %0 = "stablehlo.dot_general"(%lhs, %rhs) {
    dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>,
    precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>],
    algorithm = #stablehlo.dot_algorithm<
      lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32,
      lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>
  } : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return
}

// -----

func.func @dot_general_c22(%lhs: tensor<3xf32>, %rhs: tensor<3xf32>) {
  %0 = "stablehlo.dot_general"(%lhs, %rhs) {
    dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>,
    // expected-error@+1 {{lhs component count must be positive}}
    algorithm = #stablehlo.dot_algorithm<
      lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32,
      lhs_component_count = 0, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>
  } : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return
}

// -----

func.func @dot_general_c23(%lhs: tensor<3xf32>, %rhs: tensor<3xf32>) {
  %0 = "stablehlo.dot_general"(%lhs, %rhs) {
    dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>,
    // expected-error@+1 {{rhs component count must be positive}}
    algorithm = #stablehlo.dot_algorithm<
      lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32,
      lhs_component_count = 1, rhs_component_count = 0, num_primitive_operations = 1, allow_imprecise_accumulation = false>
  } : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return
}

// -----

func.func @dot_general_c24(%lhs: tensor<3xf32>, %rhs: tensor<3xf32>) {
  %0 = "stablehlo.dot_general"(%lhs, %rhs) {
    dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>,
    // expected-error@+1 {{num primitive operations must be positive}}
    algorithm = #stablehlo.dot_algorithm<
      lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32,
      lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 0, allow_imprecise_accumulation = false>
  } : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return
}

// -----

func.func @dot_general_algorithm_accumulation(%lhs: tensor<3xf32>, %rhs: tensor<3xf32>) {
  %0 = "stablehlo.dot_general"(%lhs, %rhs) {
    dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>,
    // expected-error@+1 {{dot algorithm not known to be supported on any hardware: {lhs:'tf32', rhs:'tf32', accum:'f32', lhs_components:1, rhs_components:1, primitive_ops:1, imprecise:1}}}
    algorithm = #stablehlo.dot_algorithm<
      lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32,
      lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = true>
  } : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return
}

// -----

func.func @dot_general_algorithm_type(%lhs: tensor<3xf32>, %rhs: tensor<3xf32>) {
  %0 = "stablehlo.dot_general"(%lhs, %rhs) {
    dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>,
    // expected-error@+1 {{dot algorithm not known to be supported on any hardware: {lhs:'i32', rhs:'tf32', accum:'f32', lhs_components:1, rhs_components:1, primitive_ops:1, imprecise:0}}}
    algorithm = #stablehlo.dot_algorithm<
      lhs_precision_type = i32, rhs_precision_type = tf32, accumulation_type = f32,
      lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>
  } : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return
}

// -----

func.func @dot_general_c4_batching_twice(%lhs: tensor<2x2x3xf32>, %rhs: tensor<2x2x3xf32>) {
  // expected-error@+1 {{has duplicated dimension from rhs_batching_dimensions and rhs_contracting_dimensions: 0}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0, 1] x [0, 0], contracting_dims = [2] x [2] : (tensor<2x2x3xf32>, tensor<2x2x3xf32>) -> tensor<2x2xf32>
  return
}
