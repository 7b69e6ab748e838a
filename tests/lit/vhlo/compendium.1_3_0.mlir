// REQUIRES: stablehlo-1.3
// RUN: stablehlo-opt --mlir-print-op-generic %s.bc | FileCheck %s
// RUN: diff <(stablehlo-translate --deserialize %s.bc | stablehlo-opt) <(stablehlo-opt --strip-debuginfo %s)
// RUN: diff %s.bc <(stablehlo-translate --serialize --target=1.3.0 --strip-debuginfo %s)

// Written by tools/generate/golden_artifacts.py for StableHLO 1.3.0.

// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<2x!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"elementwise_unary">
// CHECK: "vhlo.abs_v1"(
// CHECK: "vhlo.cbrt_v1"(
// CHECK: "vhlo.ceil_v1"(
// CHECK: "vhlo.cosine_v1"(
// CHECK: "vhlo.exponential_v1"(
// CHECK: "vhlo.exponential_minus_one_v1"(
// CHECK: "vhlo.floor_v1"(
// CHECK: "vhlo.log_v1"(
// CHECK: "vhlo.log_plus_one_v1"(
// CHECK: "vhlo.logistic_v1"(
// CHECK: "vhlo.negate_v1"(
// CHECK: "vhlo.round_nearest_afz_v1"(
// CHECK: "vhlo.round_nearest_even_v1"(
// CHECK: "vhlo.rsqrt_v1"(
// CHECK: "vhlo.sign_v1"(
// CHECK: "vhlo.sine_v1"(
// CHECK: "vhlo.sqrt_v1"(
// CHECK: "vhlo.tanh_v1"(
// CHECK: "vhlo.reduce_precision_v1"({{.*}}) <{exponent_bits = #vhlo.integer_v1<5 : i32>, mantissa_bits = #vhlo.integer_v1<10 : i32>}>
// CHECK: "vhlo.is_finite_v1"(
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<2x!vhlo.i32_v1>, !vhlo.tensor_v1<2x!vhlo.i32_v1>) -> !vhlo.tensor_v1<2x!vhlo.i32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"elementwise_binary">
// CHECK: "vhlo.add_v1"(
// CHECK: "vhlo.and_v1"(
// CHECK: "vhlo.divide_v1"(
// CHECK: "vhlo.maximum_v1"(
// CHECK: "vhlo.minimum_v1"(
// CHECK: "vhlo.multiply_v1"(
// CHECK: "vhlo.or_v1"(
// CHECK: "vhlo.power_v1"(
// CHECK: "vhlo.remainder_v1"(
// CHECK: "vhlo.shift_left_v1"(
// CHECK: "vhlo.shift_right_arithmetic_v1"(
// CHECK: "vhlo.shift_right_logical_v1"(
// CHECK: "vhlo.subtract_v1"(
// CHECK: "vhlo.xor_v1"(
// CHECK: "vhlo.count_leading_zeros_v1"(
// CHECK: "vhlo.not_v1"(
// CHECK: "vhlo.popcnt_v1"(
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<2x!vhlo.f32_v1>, !vhlo.tensor_v1<2x!vhlo.f32_v1>, !vhlo.tensor_v1<2x!vhlo.complex_v1<!vhlo.f64_v1>>) -> !vhlo.tensor_v1<2x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"complex_numbers">
// CHECK: "vhlo.complex_v1"(
// CHECK: "vhlo.real_v1"(
// CHECK: "vhlo.imag_v1"(
// CHECK: "vhlo.atan2_v1"(
// CHECK: "vhlo.constant_v1"({{.*}}) <{value = #vhlo.tensor_v1<dense<[(1.000000e+00,-2.000000e+00), (0.000000e+00,5.000000e-01)]> : tensor<2xcomplex<f32>>>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(()) -> !vhlo.tensor_v1<3x!vhlo.bool_v1>, !vhlo.tensor_v1<2x!vhlo.f32_v1>, !vhlo.tensor_v1<!vhlo.f64_v1>, !vhlo.tensor_v1<0x!vhlo.i8_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"constants">
// CHECK: "vhlo.constant_v1"({{.*}}) <{value = #vhlo.tensor_v1<dense<[true, false, true]> : tensor<3xi1>>}>
// CHECK: "vhlo.constant_v1"({{.*}}) <{value = #vhlo.tensor_v1<dense<[-0.000000e+00, 0x7FC00000]> : tensor<2xf32>>}>
// CHECK: "vhlo.constant_v1"({{.*}}) <{value = #vhlo.tensor_v1<dense<2.500000e+00> : tensor<f64>>}>
// CHECK: "vhlo.constant_v1"({{.*}}) <{value = #vhlo.tensor_v1<dense<> : tensor<0xi8>>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<!vhlo.f32_v1>, !vhlo.tensor_v1<!vhlo.f32_v1>) -> !vhlo.tensor_v1<!vhlo.bool_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"compare_directions">
// CHECK: "vhlo.compare_v1"({{.*}}) <{compare_type = #vhlo<comparison_type_v1 NOTYPE>, comparison_direction = #vhlo<comparison_direction_v1 EQ>}>
// CHECK: "vhlo.compare_v1"({{.*}}) <{compare_type = #vhlo<comparison_type_v1 NOTYPE>, comparison_direction = #vhlo<comparison_direction_v1 NE>}>
// CHECK: "vhlo.compare_v1"({{.*}}) <{compare_type = #vhlo<comparison_type_v1 FLOAT>, comparison_direction = #vhlo<comparison_direction_v1 GE>}>
// CHECK: "vhlo.compare_v1"({{.*}}) <{compare_type = #vhlo<comparison_type_v1 TOTALORDER>, comparison_direction = #vhlo<comparison_direction_v1 GT>}>
// CHECK: "vhlo.compare_v1"({{.*}}) <{compare_type = #vhlo<comparison_type_v1 UNSIGNED>, comparison_direction = #vhlo<comparison_direction_v1 LE>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<!vhlo.i8_v1>, !vhlo.tensor_v1<!vhlo.i8_v1>) -> !vhlo.tensor_v1<!vhlo.bool_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"compare_types">
// CHECK: "vhlo.compare_v1"({{.*}}) <{compare_type = #vhlo<comparison_type_v1 SIGNED>, comparison_direction = #vhlo<comparison_direction_v1 LT>}>
// CHECK: "vhlo.compare_v1"({{.*}}) <{compare_type = #vhlo<comparison_type_v1 NOTYPE>, comparison_direction = #vhlo<comparison_direction_v1 LT>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<!vhlo.f32_v1>, !vhlo.tensor_v1<2x!vhlo.f32_v1>, !vhlo.tensor_v1<!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x!vhlo.i32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"clamp_select_convert">
// CHECK: "vhlo.clamp_v1"(
// CHECK: "vhlo.constant_v1"({{.*}}) <{value = #vhlo.tensor_v1<dense<[true, false]> : tensor<2xi1>>}>
// CHECK: "vhlo.select_v1"(
// CHECK: "vhlo.convert_v1"(
// CHECK: "vhlo.bitcast_convert_v1"(
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<2x3x!vhlo.f32_v1>, !vhlo.tensor_v1<3x!vhlo.f32_v1>, !vhlo.tensor_v1<3x!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x3x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"batch_norm">
// CHECK: "vhlo.batch_norm_training_v1"({{.*}}) <{epsilon = #vhlo.float_v1<1.000000e-03 : !vhlo.f32_v1>, feature_index = #vhlo.integer_v1<1 : i64>}>
// CHECK: "vhlo.batch_norm_inference_v1"({{.*}}) <{epsilon = #vhlo.float_v1<1.000000e-03 : !vhlo.f32_v1>, feature_index = #vhlo.integer_v1<1 : i64>}>
// CHECK: "vhlo.batch_norm_grad_v1"({{.*}}) <{epsilon = #vhlo.float_v1<1.000000e-03 : !vhlo.f32_v1>, feature_index = #vhlo.integer_v1<1 : i64>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<2x!vhlo.f32_v1>, !vhlo.tensor_v1<2x!vhlo.i64_v1>) -> !vhlo.tensor_v1<?x?x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"broadcasts">
// CHECK: "vhlo.broadcast_in_dim_v1"({{.*}}) <{broadcast_dimensions = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>}>
// CHECK: "vhlo.broadcast_v1"({{.*}}) <{broadcast_sizes = #vhlo.tensor_v1<dense<3> : tensor<1xi64>>}>
// CHECK: "vhlo.dynamic_broadcast_in_dim_v1"({{.*}}) <{broadcast_dimensions = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>, known_expanding_dimensions = #vhlo.tensor_v1<dense<> : tensor<0xi64>>, known_nonexpanding_dimensions = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>}>
// CHECK: "vhlo.dynamic_broadcast_in_dim_v1"({{.*}}) <{broadcast_dimensions = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>, known_expanding_dimensions = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>, known_nonexpanding_dimensions = #vhlo.tensor_v1<dense<> : tensor<0xi64>>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<2x!vhlo.f32_v1>, !vhlo.tensor_v1<2x!vhlo.i64_v1>) -> !vhlo.tensor_v1<?x?x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"dynamic_broadcast_defaults">
// CHECK: "vhlo.dynamic_broadcast_in_dim_v1"({{.*}}) <{broadcast_dimensions = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>, known_expanding_dimensions = #vhlo.tensor_v1<dense<> : tensor<0xi64>>, known_nonexpanding_dimensions = #vhlo.tensor_v1<dense<> : tensor<0xi64>>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<!vhlo.i32_v1>, !vhlo.tensor_v1<!vhlo.bool_v1>, !vhlo.tensor_v1<!vhlo.i32_v1>) -> !vhlo.tensor_v1<!vhlo.i32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"control_flow">
// CHECK: "vhlo.case_v1"(
// CHECK: "vhlo.if_v1"(
// CHECK: "vhlo.while_v1"(
// CHECK: "vhlo.compare_v1"({{.*}}) <{compare_type = #vhlo<comparison_type_v1 NOTYPE>, comparison_direction = #vhlo<comparison_direction_v1 LT>}>
// CHECK: "vhlo.add_v1"(
// CHECK: "vhlo.optimization_barrier_v1"(
// CHECK: "vhlo.call_v1"({{.*}}) <{callee = #vhlo.string_v1<"callee">}>
// CHECK-LABEL: <{arg_attrs = #vhlo.array_v1<[#vhlo.dict_v1<{#vhlo.string_v1<"house.argument"> = #vhlo.string_v1<"first">}>]>, function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<!vhlo.i32_v1>) -> !vhlo.tensor_v1<!vhlo.i32_v1>>>, res_attrs = #vhlo.array_v1<[#vhlo.dict_v1<{#vhlo.string_v1<"house.result"> = #vhlo.integer_v1<1 : i64>}>]>, sym_name = #vhlo.string_v1<"callee">, sym_visibility = #vhlo.string_v1<"private">}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<2x2x!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x2x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"linear_algebra">
// CHECK: "vhlo.cholesky_v1"({{.*}}) <{lower = #vhlo.bool_v1<true>}>
// CHECK: "vhlo.triangular_solve_v1"({{.*}}) <{left_side = #vhlo.bool_v1<true>, lower = #vhlo.bool_v1<true>, transpose_a = #vhlo<transpose_v1 NO_TRANSPOSE>, unit_diagonal = #vhlo.bool_v1<false>}>
// CHECK: "vhlo.triangular_solve_v1"({{.*}}) <{left_side = #vhlo.bool_v1<true>, lower = #vhlo.bool_v1<true>, transpose_a = #vhlo<transpose_v1 TRANSPOSE>, unit_diagonal = #vhlo.bool_v1<false>}>
// CHECK: "vhlo.triangular_solve_v1"({{.*}}) <{left_side = #vhlo.bool_v1<false>, lower = #vhlo.bool_v1<false>, transpose_a = #vhlo<transpose_v1 ADJOINT>, unit_diagonal = #vhlo.bool_v1<true>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<2x2x!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x2x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"cholesky_defaults">
// CHECK: "vhlo.cholesky_v1"({{.*}}) <{lower = #vhlo.bool_v1<false>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<2x4x!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x4x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"collectives">
// CHECK: "vhlo.all_gather_v1"({{.*}}) <{all_gather_dim = #vhlo.integer_v1<1 : i64>, channel_id = #vhlo.integer_v1<1 : i64>, replica_groups = #vhlo.tensor_v1<dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>>, use_global_device_ids = #vhlo.bool_v1<true>}>
// CHECK: "vhlo.all_reduce_v1"({{.*}}) <{channel_id = #vhlo.integer_v1<1 : i64>, replica_groups = #vhlo.tensor_v1<dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>>, use_global_device_ids = #vhlo.bool_v1<true>}>
// CHECK: "vhlo.add_v1"(
// CHECK: "vhlo.all_to_all_v1"({{.*}}) <{channel_id = #vhlo.integer_v1<1 : i64>, concat_dimension = #vhlo.integer_v1<0 : i64>, replica_groups = #vhlo.tensor_v1<dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>>, split_count = #vhlo.integer_v1<2 : i64>, split_dimension = #vhlo.integer_v1<1 : i64>}>
// CHECK: "vhlo.collective_permute_v1"({{.*}}) <{channel_id = #vhlo.integer_v1<1 : i64>, source_target_pairs = #vhlo.tensor_v1<dense<{{\[\[}}0, 1], [1, 0]]> : tensor<2x2xi64>>}>
// CHECK: "vhlo.reduce_scatter_v1"({{.*}}) <{channel_id = #vhlo.integer_v1<1 : i64>, replica_groups = #vhlo.tensor_v1<dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>>, scatter_dimension = #vhlo.integer_v1<1 : i64>, use_global_device_ids = #vhlo.bool_v1<true>}>
// CHECK: "vhlo.add_v1"(
// CHECK: "vhlo.cross-replica-sum_v1"({{.*}}) <{replica_groups = #vhlo.tensor_v1<dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<2x4x!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x4x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"collective_defaults">
// CHECK: "vhlo.all_gather_v1"({{.*}}) <{all_gather_dim = #vhlo.integer_v1<1 : i64>, channel_id = #vhlo.integer_v1<0 : i64>, replica_groups = #vhlo.tensor_v1<dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>>, use_global_device_ids = #vhlo.bool_v1<false>}>
// CHECK: "vhlo.all_reduce_v1"({{.*}}) <{channel_id = #vhlo.integer_v1<0 : i64>, replica_groups = #vhlo.tensor_v1<dense<{{\[\[}}0, 1], [2, -1]]> : tensor<2x2xi64>>, use_global_device_ids = #vhlo.bool_v1<false>}>
// CHECK: "vhlo.add_v1"(
// CHECK: "vhlo.all_to_all_v1"({{.*}}) <{channel_id = #vhlo.integer_v1<0 : i64>, concat_dimension = #vhlo.integer_v1<0 : i64>, replica_groups = #vhlo.tensor_v1<dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>>, split_count = #vhlo.integer_v1<2 : i64>, split_dimension = #vhlo.integer_v1<1 : i64>}>
// CHECK: "vhlo.collective_permute_v1"({{.*}}) <{channel_id = #vhlo.integer_v1<0 : i64>, source_target_pairs = #vhlo.tensor_v1<dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>>}>
// CHECK: "vhlo.reduce_scatter_v1"({{.*}}) <{channel_id = #vhlo.integer_v1<0 : i64>, replica_groups = #vhlo.tensor_v1<dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>>, scatter_dimension = #vhlo.integer_v1<1 : i64>, use_global_device_ids = #vhlo.bool_v1<false>}>
// CHECK: "vhlo.add_v1"(
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(()) -> !vhlo.tensor_v1<!vhlo.ui32_v1>, !vhlo.tensor_v1<!vhlo.ui32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"process_ids">
// CHECK: "vhlo.partition_id_v1"(
// CHECK: "vhlo.replica_id_v1"(
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<1x2x3x!vhlo.f32_v1>, !vhlo.tensor_v1<1x3x2x!vhlo.f32_v1>) -> !vhlo.tensor_v1<1x2x2x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"contractions">
// CHECK: "vhlo.dot_general_v1"({{.*}}) <{lhs_batching_dimensions = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>, lhs_contracting_dimensions = #vhlo.tensor_v1<dense<2> : tensor<1xi64>>, precision_config = #vhlo.array_v1<[#vhlo<precision_v1 HIGH>, #vhlo<precision_v1 HIGHEST>]>, rhs_batching_dimensions = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>, rhs_contracting_dimensions = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>}>
// CHECK: "vhlo.einsum_v1"({{.*}}) <{einsum_config = #vhlo.string_v1<"bij,bjk->bik">}>
// CHECK: "vhlo.unary_einsum_v1"({{.*}}) <{einsum_config = #vhlo.string_v1<"bij->ij">}>
// CHECK: "vhlo.dot_v1"({{.*}}) <{precision_config = #vhlo.array_v1<[#vhlo<precision_v1 HIGHEST>, #vhlo<precision_v1 DEFAULT>]>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<2x3x!vhlo.f32_v1>, !vhlo.tensor_v1<3x2x!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x2x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"dot_general_defaults">
// CHECK: "vhlo.dot_general_v1"({{.*}}) <{lhs_batching_dimensions = #vhlo.tensor_v1<dense<> : tensor<0xi64>>, lhs_contracting_dimensions = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>, precision_config = #vhlo.array_v1<[#vhlo<precision_v1 DEFAULT>, #vhlo<precision_v1 DEFAULT>]>, rhs_batching_dimensions = #vhlo.tensor_v1<dense<> : tensor<0xi64>>, rhs_contracting_dimensions = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<1x4x4x2x!vhlo.f32_v1>, !vhlo.tensor_v1<2x2x1x2x!vhlo.f32_v1>, !vhlo.tensor_v1<2x2x!vhlo.i64_v1>) -> !vhlo.tensor_v1<1x2x3x2x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"convolutions">
// CHECK: "vhlo.convolution_v1"({{.*}}) <{batch_group_count = #vhlo.integer_v1<1 : i64>, feature_group_count = #vhlo.integer_v1<2 : i64>, input_batch_dimension = #vhlo.integer_v1<0 : i64>, input_feature_dimension = #vhlo.integer_v1<3 : i64>, input_spatial_dimensions = #vhlo.tensor_v1<dense<[1, 2]> : tensor<2xi64>>, kernel_input_feature_dimension = #vhlo.integer_v1<2 : i64>, kernel_output_feature_dimension = #vhlo.integer_v1<3 : i64>, kernel_spatial_dimensions = #vhlo.tensor_v1<dense<[0, 1]> : tensor<2xi64>>, lhs_dilation = #vhlo.tensor_v1<dense<[1, 2]> : tensor<2xi64>>, output_batch_dimension = #vhlo.integer_v1<0 : i64>, output_feature_dimension = #vhlo.integer_v1<3 : i64>, output_spatial_dimensions = #vhlo.tensor_v1<dense<[1, 2]> : tensor<2xi64>>, padding = #vhlo.tensor_v1<dense<{{\[\[}}1, 0], [0, 1]]> : tensor<2x2xi64>>, precision_config = #vhlo.array_v1<[#vhlo<precision_v1 HIGHEST>, #vhlo<precision_v1 DEFAULT>]>, rhs_dilation = #vhlo.tensor_v1<dense<[2, 3]> : tensor<2xi64>>, window_reversal = #vhlo.tensor_v1<dense<[false, true]> : tensor<2xi1>>, window_strides = #vhlo.tensor_v1<dense<2> : tensor<2xi64>>}>
// CHECK: "vhlo.dynamic_conv_v2"({{.*}}) <{batch_group_count = #vhlo.integer_v1<1 : i64>, feature_group_count = #vhlo.integer_v1<2 : i64>, input_batch_dimension = #vhlo.integer_v1<0 : i64>, input_feature_dimension = #vhlo.integer_v1<3 : i64>, input_spatial_dimensions = #vhlo.tensor_v1<dense<[1, 2]> : tensor<2xi64>>, kernel_input_feature_dimension = #vhlo.integer_v1<2 : i64>, kernel_output_feature_dimension = #vhlo.integer_v1<3 : i64>, kernel_spatial_dimensions = #vhlo.tensor_v1<dense<[0, 1]> : tensor<2xi64>>, lhs_dilation = #vhlo.tensor_v1<dense<[1, 2]> : tensor<2xi64>>, output_batch_dimension = #vhlo.integer_v1<0 : i64>, output_feature_dimension = #vhlo.integer_v1<3 : i64>, output_spatial_dimensions = #vhlo.tensor_v1<dense<[1, 2]> : tensor<2xi64>>, precision_config = #vhlo.array_v1<[#vhlo<precision_v1 HIGH>, #vhlo<precision_v1 HIGH>]>, rhs_dilation = #vhlo.tensor_v1<dense<[2, 1]> : tensor<2xi64>>, window_reversal = #vhlo.tensor_v1<dense<[false, true]> : tensor<2xi1>>, window_strides = #vhlo.tensor_v1<dense<2> : tensor<2xi64>>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<1x4x4x1x!vhlo.f32_v1>, !vhlo.tensor_v1<2x2x1x2x!vhlo.f32_v1>, !vhlo.tensor_v1<2x2x!vhlo.i64_v1>) -> !vhlo.tensor_v1<1x3x3x2x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"convolution_defaults">
// CHECK: "vhlo.convolution_v1"({{.*}}) <{batch_group_count = #vhlo.integer_v1<1 : i64>, feature_group_count = #vhlo.integer_v1<1 : i64>, input_batch_dimension = #vhlo.integer_v1<0 : i64>, input_feature_dimension = #vhlo.integer_v1<3 : i64>, input_spatial_dimensions = #vhlo.tensor_v1<dense<[1, 2]> : tensor<2xi64>>, kernel_input_feature_dimension = #vhlo.integer_v1<2 : i64>, kernel_output_feature_dimension = #vhlo.integer_v1<3 : i64>, kernel_spatial_dimensions = #vhlo.tensor_v1<dense<[0, 1]> : tensor<2xi64>>, lhs_dilation = #vhlo.tensor_v1<dense<1> : tensor<2xi64>>, output_batch_dimension = #vhlo.integer_v1<0 : i64>, output_feature_dimension = #vhlo.integer_v1<3 : i64>, output_spatial_dimensions = #vhlo.tensor_v1<dense<[1, 2]> : tensor<2xi64>>, padding = #vhlo.tensor_v1<dense<0> : tensor<2x2xi64>>, precision_config = #vhlo.array_v1<[#vhlo<precision_v1 DEFAULT>, #vhlo<precision_v1 DEFAULT>]>, rhs_dilation = #vhlo.tensor_v1<dense<1> : tensor<2xi64>>, window_reversal = #vhlo.tensor_v1<dense<false> : tensor<2xi1>>, window_strides = #vhlo.tensor_v1<dense<1> : tensor<2xi64>>}>
// CHECK: "vhlo.dynamic_conv_v2"({{.*}}) <{batch_group_count = #vhlo.integer_v1<1 : i64>, feature_group_count = #vhlo.integer_v1<1 : i64>, input_batch_dimension = #vhlo.integer_v1<0 : i64>, input_feature_dimension = #vhlo.integer_v1<3 : i64>, input_spatial_dimensions = #vhlo.tensor_v1<dense<[1, 2]> : tensor<2xi64>>, kernel_input_feature_dimension = #vhlo.integer_v1<2 : i64>, kernel_output_feature_dimension = #vhlo.integer_v1<3 : i64>, kernel_spatial_dimensions = #vhlo.tensor_v1<dense<[0, 1]> : tensor<2xi64>>, lhs_dilation = #vhlo.tensor_v1<dense<1> : tensor<2xi64>>, output_batch_dimension = #vhlo.integer_v1<0 : i64>, output_feature_dimension = #vhlo.integer_v1<3 : i64>, output_spatial_dimensions = #vhlo.tensor_v1<dense<[1, 2]> : tensor<2xi64>>, precision_config = #vhlo.array_v1<[#vhlo<precision_v1 DEFAULT>, #vhlo<precision_v1 DEFAULT>]>, rhs_dilation = #vhlo.tensor_v1<dense<1> : tensor<2xi64>>, window_reversal = #vhlo.tensor_v1<dense<false> : tensor<2xi1>>, window_strides = #vhlo.tensor_v1<dense<1> : tensor<2xi64>>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<2x!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"custom_calls">
// CHECK: "vhlo.custom_call_v1"({{.*}}) <{api_version = #vhlo<api_version_v1 API_VERSION_STATUS_RETURNING>, backend_config = #vhlo.string_v1<"\01\02">, call_target_name = #vhlo.string_v1<"house">, called_computations = #vhlo.array_v1<[#vhlo.string_v1<"callee">]>, has_side_effect = #vhlo.bool_v1<true>, operand_layouts = #vhlo.array_v1<[#vhlo.tensor_v1<dense<0> : tensor<1xindex>>]>, output_operand_aliases = #vhlo.array_v1<[#vhlo.output_operand_alias_v1<outputTupleIndices = [], operandIndex = 0, operandTupleIndices = []>]>, result_layouts = #vhlo.array_v1<[#vhlo.tensor_v1<dense<0> : tensor<1xindex>>]>}>
// CHECK: "vhlo.custom_call_v1"({{.*}}) <{api_version = #vhlo<api_version_v1 API_VERSION_UNSPECIFIED>, backend_config = #vhlo.string_v1<"">, call_target_name = #vhlo.string_v1<"house">, called_computations = #vhlo.array_v1<[]>, has_side_effect = #vhlo.bool_v1<false>, operand_layouts = #vhlo.array_v1<[]>, output_operand_aliases = #vhlo.array_v1<[]>, result_layouts = #vhlo.array_v1<[]>}>
// CHECK: "vhlo.custom_call_v1"({{.*}}) <{api_version = #vhlo<api_version_v1 API_VERSION_ORIGINAL>, backend_config = #vhlo.string_v1<"">, call_target_name = #vhlo.string_v1<"house">, called_computations = #vhlo.array_v1<[]>, has_side_effect = #vhlo.bool_v1<false>, operand_layouts = #vhlo.array_v1<[]>, output_operand_aliases = #vhlo.array_v1<[]>, result_layouts = #vhlo.array_v1<[]>}>
// CHECK: "vhlo.custom_call_v1"({{.*}}) <{api_version = #vhlo<api_version_v1 API_VERSION_STATUS_RETURNING_UNIFIED>, backend_config = #vhlo.string_v1<"">, call_target_name = #vhlo.string_v1<"house">, called_computations = #vhlo.array_v1<[]>, has_side_effect = #vhlo.bool_v1<false>, operand_layouts = #vhlo.array_v1<[]>, output_operand_aliases = #vhlo.array_v1<[]>, result_layouts = #vhlo.array_v1<[]>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<2x!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"custom_call_defaults">
// CHECK: "vhlo.custom_call_v1"({{.*}}) <{api_version = #vhlo<api_version_v1 API_VERSION_ORIGINAL>, backend_config = #vhlo.string_v1<"">, call_target_name = #vhlo.string_v1<"house">, called_computations = #vhlo.array_v1<[]>, has_side_effect = #vhlo.bool_v1<false>, operand_layouts = #vhlo.array_v1<[]>, output_operand_aliases = #vhlo.array_v1<[]>, result_layouts = #vhlo.array_v1<[]>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<2x3x!vhlo.f32_v1>, !vhlo.tensor_v1<!vhlo.f32_v1>) -> !vhlo.tensor_v1<3x2x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"movement">
// CHECK: "vhlo.concatenate_v1"({{.*}}) <{dimension = #vhlo.integer_v1<0 : i64>}>
// CHECK: "vhlo.pad_v1"({{.*}}) <{edge_padding_high = #vhlo.tensor_v1<dense<[1, 0]> : tensor<2xi64>>, edge_padding_low = #vhlo.tensor_v1<dense<[0, 1]> : tensor<2xi64>>, interior_padding = #vhlo.tensor_v1<dense<[0, 1]> : tensor<2xi64>>}>
// CHECK: "vhlo.reshape_v1"(
// CHECK: "vhlo.reverse_v1"({{.*}}) <{dimensions = #vhlo.tensor_v1<dense<[0, 1]> : tensor<2xi64>>}>
// CHECK: "vhlo.slice_v1"({{.*}}) <{limit_indices = #vhlo.tensor_v1<dense<[2, 3]> : tensor<2xi64>>, start_indices = #vhlo.tensor_v1<dense<[0, 1]> : tensor<2xi64>>, strides = #vhlo.tensor_v1<dense<[1, 2]> : tensor<2xi64>>}>
// CHECK: "vhlo.iota_v1"({{.*}}) <{iota_dimension = #vhlo.integer_v1<1 : i64>}>
// CHECK: "vhlo.transpose_v1"({{.*}}) <{permutation = #vhlo.tensor_v1<dense<[1, 0]> : tensor<2xi64>>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<?x!vhlo.f32_v1>, !vhlo.tensor_v1<1x!vhlo.i64_v1>, !vhlo.tensor_v1<!vhlo.f32_v1>, !vhlo.tensor_v1<!vhlo.i64_v1>) -> !vhlo.tensor_v1<?x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"dynamic_movement">
// CHECK: "vhlo.dynamic_iota_v1"({{.*}}) <{iota_dimension = #vhlo.integer_v1<0 : i64>}>
// CHECK: "vhlo.dynamic_pad_v1"(
// CHECK: "vhlo.dynamic_reshape_v1"(
// CHECK: "vhlo.dynamic_slice_v1"({{.*}}) <{slice_sizes = #vhlo.tensor_v1<dense<4> : tensor<1xi64>>}>
// CHECK: "vhlo.dynamic_update_slice_v1"(
// CHECK: "vhlo.real_dynamic_slice_v1"(
// CHECK: "vhlo.get_dimension_size_v1"({{.*}}) <{dimension = #vhlo.integer_v1<0 : i64>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<4x!vhlo.f32_v1>, !vhlo.tensor_v1<!vhlo.i32_v1>) -> !vhlo.tensor_v1<?x!vhlo.f32_v1, #vhlo.type_extensions_v1<bounds = [4]>>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"bounds">
// CHECK: "vhlo.set_dimension_size_v1"({{.*}}) <{dimension = #vhlo.integer_v1<0 : i64>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.unranked_tensor_v1<!vhlo.f32_v1>) -> !vhlo.unranked_tensor_v1<!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"unranked">
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<4x!vhlo.complex_v1<!vhlo.f32_v1>>, !vhlo.tensor_v1<4x!vhlo.f32_v1>) -> !vhlo.tensor_v1<4x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"fourier">
// CHECK: "vhlo.fft_v1"({{.*}}) <{fft_length = #vhlo.tensor_v1<dense<4> : tensor<1xi64>>, fft_type = #vhlo<fft_type_v1 FFT>}>
// CHECK: "vhlo.fft_v1"({{.*}}) <{fft_length = #vhlo.tensor_v1<dense<4> : tensor<1xi64>>, fft_type = #vhlo<fft_type_v1 IFFT>}>
// CHECK: "vhlo.fft_v1"({{.*}}) <{fft_length = #vhlo.tensor_v1<dense<4> : tensor<1xi64>>, fft_type = #vhlo<fft_type_v1 RFFT>}>
// CHECK: "vhlo.fft_v1"({{.*}}) <{fft_length = #vhlo.tensor_v1<dense<4> : tensor<1xi64>>, fft_type = #vhlo<fft_type_v1 IRFFT>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<3x4x!vhlo.f32_v1>, !vhlo.tensor_v1<2x1x!vhlo.i64_v1>, !vhlo.tensor_v1<2x!vhlo.i64_v1>) -> !vhlo.tensor_v1<2x4x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"gathers">
// CHECK: "vhlo.gather_v2"({{.*}}) <{collapsed_slice_dims = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>, index_vector_dim = #vhlo.integer_v1<1 : i64>, indices_are_sorted = #vhlo.bool_v1<true>, offset_dims = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>, operand_batching_dims = #vhlo.tensor_v1<dense<> : tensor<0xi64>>, slice_sizes = #vhlo.tensor_v1<dense<[1, 4]> : tensor<2xi64>>, start_index_map = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>, start_indices_batching_dims = #vhlo.tensor_v1<dense<> : tensor<0xi64>>}>
// CHECK: "vhlo.dynamic_gather_v2"({{.*}}) <{collapsed_slice_dims = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>, index_vector_dim = #vhlo.integer_v1<1 : i64>, indices_are_sorted = #vhlo.bool_v1<true>, offset_dims = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>, operand_batching_dims = #vhlo.tensor_v1<dense<> : tensor<0xi64>>, start_index_map = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>, start_indices_batching_dims = #vhlo.tensor_v1<dense<> : tensor<0xi64>>}>
// CHECK: "vhlo.torch_index_select_v1"({{.*}}) <{batch_dims = #vhlo.integer_v1<0 : i64>, dim = #vhlo.integer_v1<0 : i64>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<3x4x!vhlo.f32_v1>, !vhlo.tensor_v1<2x1x!vhlo.i64_v1>, !vhlo.tensor_v1<2x!vhlo.i64_v1>) -> !vhlo.tensor_v1<2x4x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"gather_defaults">
// CHECK: "vhlo.gather_v2"({{.*}}) <{collapsed_slice_dims = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>, index_vector_dim = #vhlo.integer_v1<1 : i64>, indices_are_sorted = #vhlo.bool_v1<false>, offset_dims = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>, operand_batching_dims = #vhlo.tensor_v1<dense<> : tensor<0xi64>>, slice_sizes = #vhlo.tensor_v1<dense<[1, 4]> : tensor<2xi64>>, start_index_map = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>, start_indices_batching_dims = #vhlo.tensor_v1<dense<> : tensor<0xi64>>}>
// CHECK: "vhlo.dynamic_gather_v2"({{.*}}) <{collapsed_slice_dims = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>, index_vector_dim = #vhlo.integer_v1<1 : i64>, indices_are_sorted = #vhlo.bool_v1<false>, offset_dims = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>, operand_batching_dims = #vhlo.tensor_v1<dense<> : tensor<0xi64>>, start_index_map = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>, start_indices_batching_dims = #vhlo.tensor_v1<dense<> : tensor<0xi64>>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<3x4x!vhlo.f32_v1>, !vhlo.tensor_v1<2x1x!vhlo.i64_v1>, !vhlo.tensor_v1<2x4x!vhlo.f32_v1>) -> !vhlo.tensor_v1<3x4x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"scatters">
// CHECK: "vhlo.scatter_v2"({{.*}}) <{index_vector_dim = #vhlo.integer_v1<1 : i64>, indices_are_sorted = #vhlo.bool_v1<true>, input_batching_dims = #vhlo.tensor_v1<dense<> : tensor<0xi64>>, inserted_window_dims = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>, scatter_dims_to_operand_dims = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>, scatter_indices_batching_dims = #vhlo.tensor_v1<dense<> : tensor<0xi64>>, unique_indices = #vhlo.bool_v1<true>, update_window_dims = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>}>
// CHECK: "vhlo.scatter_v2"({{.*}}) <{index_vector_dim = #vhlo.integer_v1<1 : i64>, indices_are_sorted = #vhlo.bool_v1<false>, input_batching_dims = #vhlo.tensor_v1<dense<> : tensor<0xi64>>, inserted_window_dims = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>, scatter_dims_to_operand_dims = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>, scatter_indices_batching_dims = #vhlo.tensor_v1<dense<> : tensor<0xi64>>, unique_indices = #vhlo.bool_v1<false>, update_window_dims = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<4x4x!vhlo.f32_v1>, !vhlo.tensor_v1<3x2x!vhlo.f32_v1>, !vhlo.tensor_v1<!vhlo.f32_v1>) -> !vhlo.tensor_v1<4x4x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"select_and_scatters">
// CHECK: "vhlo.select_and_scatter_v1"({{.*}}) <{padding = #vhlo.tensor_v1<dense<{{\[\[}}1, 1], [0, 0]]> : tensor<2x2xi64>>, window_dimensions = #vhlo.tensor_v1<dense<2> : tensor<2xi64>>, window_strides = #vhlo.tensor_v1<dense<2> : tensor<2xi64>>}>
// CHECK: "vhlo.compare_v1"({{.*}}) <{compare_type = #vhlo<comparison_type_v1 NOTYPE>, comparison_direction = #vhlo<comparison_direction_v1 GE>}>
// CHECK: "vhlo.add_v1"(
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<2x!vhlo.f32_v1>, !vhlo.tensor_v1<2x!vhlo.f32_v1>, !vhlo.tensor_v1<!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"select_and_scatter_defaults">
// CHECK: "vhlo.select_and_scatter_v1"({{.*}}) <{padding = #vhlo.tensor_v1<dense<0> : tensor<1x2xi64>>, window_dimensions = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>, window_strides = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>}>
// CHECK: "vhlo.compare_v1"({{.*}}) <{compare_type = #vhlo<comparison_type_v1 NOTYPE>, comparison_direction = #vhlo<comparison_direction_v1 GE>}>
// CHECK: "vhlo.add_v1"(
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<4x4x!vhlo.f32_v1>, !vhlo.tensor_v1<!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x3x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"reductions">
// CHECK: "vhlo.reduce_v1"({{.*}}) <{dimensions = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>}>
// CHECK: "vhlo.add_v1"(
// CHECK: "vhlo.map_v1"({{.*}}) <{dimensions = #vhlo.tensor_v1<dense<[0, 1]> : tensor<2xi64>>}>
// CHECK: "vhlo.multiply_v1"(
// CHECK: "vhlo.reduce_window_v1"({{.*}}) <{base_dilations = #vhlo.tensor_v1<dense<[2, 1]> : tensor<2xi64>>, padding = #vhlo.tensor_v1<dense<{{\[\[}}0, 0], [1, 0]]> : tensor<2x2xi64>>, window_dilations = #vhlo.tensor_v1<dense<[1, 2]> : tensor<2xi64>>, window_dimensions = #vhlo.tensor_v1<dense<2> : tensor<2xi64>>, window_strides = #vhlo.tensor_v1<dense<2> : tensor<2xi64>>}>
// CHECK: "vhlo.maximum_v1"(
// CHECK: "vhlo.reduce_window_v1"({{.*}}) <{base_dilations = #vhlo.tensor_v1<dense<1> : tensor<2xi64>>, padding = #vhlo.tensor_v1<dense<0> : tensor<2x2xi64>>, window_dilations = #vhlo.tensor_v1<dense<1> : tensor<2xi64>>, window_dimensions = #vhlo.tensor_v1<dense<[3, 2]> : tensor<2xi64>>, window_strides = #vhlo.tensor_v1<dense<1> : tensor<2xi64>>}>
// CHECK: "vhlo.maximum_v1"(
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<4x!vhlo.i32_v1>, !vhlo.tensor_v1<4x!vhlo.f32_v1>) -> !vhlo.tensor_v1<4x!vhlo.i32_v1>, !vhlo.tensor_v1<4x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"sorts">
// CHECK: "vhlo.sort_v1"({{.*}}) <{dimension = #vhlo.integer_v1<0 : i64>, is_stable = #vhlo.bool_v1<true>}>
// CHECK: "vhlo.compare_v1"({{.*}}) <{compare_type = #vhlo<comparison_type_v1 NOTYPE>, comparison_direction = #vhlo<comparison_direction_v1 LT>}>
// CHECK: "vhlo.sort_v1"({{.*}}) <{dimension = #vhlo.integer_v1<-1 : i64>, is_stable = #vhlo.bool_v1<false>}>
// CHECK: "vhlo.compare_v1"({{.*}}) <{compare_type = #vhlo<comparison_type_v1 NOTYPE>, comparison_direction = #vhlo<comparison_direction_v1 LT>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<!vhlo.f32_v1>, !vhlo.tensor_v1<!vhlo.f32_v1>, !vhlo.tensor_v1<1x!vhlo.i64_v1>, !vhlo.tensor_v1<2x!vhlo.ui64_v1>) -> !vhlo.tensor_v1<4x!vhlo.ui32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"random">
// CHECK: "vhlo.rng_v1"({{.*}}) <{rng_distribution = #vhlo<rng_distribution_v1 UNIFORM>}>
// CHECK: "vhlo.rng_v1"({{.*}}) <{rng_distribution = #vhlo<rng_distribution_v1 NORMAL>}>
// CHECK: "vhlo.rng_bit_generator_v1"({{.*}}) <{rng_algorithm = #vhlo<rng_algorithm_v1 DEFAULT>}>
// CHECK: "vhlo.rng_bit_generator_v1"({{.*}}) <{rng_algorithm = #vhlo<rng_algorithm_v1 THREE_FRY>}>
// CHECK: "vhlo.rng_bit_generator_v1"({{.*}}) <{rng_algorithm = #vhlo<rng_algorithm_v1 PHILOX>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.token_v1, !vhlo.tensor_v1<2x!vhlo.f32_v1>) -> !vhlo.token_v1>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"tokens">
// CHECK: "vhlo.create_token_v1"(
// CHECK: "vhlo.after_all_v1"(
// CHECK: "vhlo.infeed_v1"({{.*}}) <{infeed_config = #vhlo.string_v1<"in">, layout = #vhlo.array_v1<[#vhlo.array_v1<[#vhlo.integer_v1<0 : i64>]>]>}>
// CHECK: "vhlo.infeed_v1"({{.*}}) <{infeed_config = #vhlo.string_v1<"">, layout = #vhlo.array_v1<[]>}>
// CHECK: "vhlo.outfeed_v1"({{.*}}) <{outfeed_config = #vhlo.string_v1<"out">}>
// CHECK: "vhlo.outfeed_v1"({{.*}}) <{outfeed_config = #vhlo.string_v1<"">}>
// CHECK: "vhlo.send_v1"({{.*}}) <{channel_id = #vhlo.integer_v1<1 : i64>, channel_type = #vhlo.integer_v1<2 : i64>, is_host_transfer = #vhlo.bool_v1<true>}>
// CHECK: "vhlo.send_v1"({{.*}}) <{channel_id = #vhlo.integer_v1<2 : i64>, channel_type = #vhlo.integer_v1<1 : i64>, is_host_transfer = #vhlo.bool_v1<false>}>
// CHECK: "vhlo.recv_v1"({{.*}}) <{channel_id = #vhlo.integer_v1<3 : i64>, channel_type = #vhlo.integer_v1<3 : i64>, is_host_transfer = #vhlo.bool_v1<true>}>
// CHECK: "vhlo.recv_v1"({{.*}}) <{channel_id = #vhlo.integer_v1<4 : i64>, channel_type = #vhlo.integer_v1<1 : i64>, is_host_transfer = #vhlo.bool_v1<false>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<2x!vhlo.f32_v1>, !vhlo.token_v1) -> !vhlo.tuple_v1<!vhlo.tensor_v1<2x!vhlo.f32_v1>, !vhlo.token_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"tuples">
// CHECK: "vhlo.tuple_v1"(
// CHECK: "vhlo.get_tuple_element_v1"({{.*}}) <{index = #vhlo.integer_v1<0 : i32>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<2x!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"quantization">
// CHECK: "vhlo.uniform_quantize_v1"(
// CHECK: "vhlo.uniform_quantize_v1"(
// CHECK: "vhlo.uniform_dequantize_v1"(
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<!vhlo.bool_v1>, !vhlo.tensor_v1<!vhlo.i4_v1>, !vhlo.tensor_v1<!vhlo.i8_v1>, !vhlo.tensor_v1<!vhlo.i16_v1>, !vhlo.tensor_v1<!vhlo.i32_v1>, !vhlo.tensor_v1<!vhlo.i64_v1>, !vhlo.tensor_v1<!vhlo.ui4_v1>, !vhlo.tensor_v1<!vhlo.ui8_v1>, !vhlo.tensor_v1<!vhlo.ui16_v1>, !vhlo.tensor_v1<!vhlo.ui32_v1>, !vhlo.tensor_v1<!vhlo.ui64_v1>, !vhlo.tensor_v1<!vhlo.index_v1>) -> ()>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"integer_types">
// CHECK: "vhlo.constant_v1"({{.*}}) <{value = #vhlo.tensor_v1<dense<[1, -2, 3]> : tensor<3xi4>>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<!vhlo.bf16_v1>, !vhlo.tensor_v1<!vhlo.f16_v1>, !vhlo.tensor_v1<!vhlo.f32_v1>, !vhlo.tensor_v1<!vhlo.f64_v1>, !vhlo.tensor_v1<!vhlo.f8E4M3FN_v1>, !vhlo.tensor_v1<!vhlo.f8E5M2_v1>) -> ()>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"float_types">
// CHECK: "vhlo.constant_v1"({{.*}}) <{value = #vhlo.tensor_v1<dense<[1.000000e+00, -2.000000e+00]> : tensor<2xf8E5M2>>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.witness_v1) -> ()>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"witness">
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<!vhlo.f8E4M3FNUZ_v1>, !vhlo.tensor_v1<!vhlo.f8E5M2FNUZ_v1>) -> ()>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"types_0_10_0">
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<!vhlo.f8E4M3B11FNUZ_v1>) -> ()>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"types_0_11_0">
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<2x!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"collective_broadcast">
// CHECK: "vhlo.collective_broadcast_v1"({{.*}}) <{channel_id = #vhlo.integer_v1<1 : i64>, replica_groups = #vhlo.tensor_v1<dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>>}>
// CHECK: "vhlo.collective_broadcast_v1"({{.*}}) <{channel_id = #vhlo.integer_v1<0 : i64>, replica_groups = #vhlo.tensor_v1<dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<4x!vhlo.f32_v1>, !vhlo.tensor_v1<!vhlo.f32_v1>, !vhlo.tensor_v1<2x1x!vhlo.i64_v1>, !vhlo.tensor_v1<2x!vhlo.f32_v1>) -> !vhlo.tensor_v1<!vhlo.f64_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"wider_accumulation">
// CHECK: "vhlo.reduce_v1"({{.*}}) <{dimensions = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>}>
// CHECK: "vhlo.add_v1"(
// CHECK: "vhlo.all_reduce_v1"({{.*}}) <{channel_id = #vhlo.integer_v1<0 : i64>, replica_groups = #vhlo.tensor_v1<dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>>, use_global_device_ids = #vhlo.bool_v1<false>}>
// CHECK: "vhlo.add_v1"(
// CHECK: "vhlo.reduce_scatter_v1"({{.*}}) <{channel_id = #vhlo.integer_v1<0 : i64>, replica_groups = #vhlo.tensor_v1<dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>>, scatter_dimension = #vhlo.integer_v1<0 : i64>, use_global_device_ids = #vhlo.bool_v1<false>}>
// CHECK: "vhlo.add_v1"(
// CHECK: "vhlo.reduce_window_v1"({{.*}}) <{base_dilations = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>, padding = #vhlo.tensor_v1<dense<0> : tensor<1x2xi64>>, window_dilations = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>, window_dimensions = #vhlo.tensor_v1<dense<2> : tensor<1xi64>>, window_strides = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>}>
// CHECK: "vhlo.add_v1"(
// CHECK: "vhlo.scatter_v2"({{.*}}) <{index_vector_dim = #vhlo.integer_v1<1 : i64>, indices_are_sorted = #vhlo.bool_v1<false>, input_batching_dims = #vhlo.tensor_v1<dense<> : tensor<0xi64>>, inserted_window_dims = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>, scatter_dims_to_operand_dims = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>, scatter_indices_batching_dims = #vhlo.tensor_v1<dense<> : tensor<0xi64>>, unique_indices = #vhlo.bool_v1<false>, update_window_dims = #vhlo.tensor_v1<dense<> : tensor<0xi64>>}>
// CHECK: "vhlo.add_v1"(
// CHECK: "vhlo.select_and_scatter_v1"({{.*}}) <{padding = #vhlo.tensor_v1<dense<0> : tensor<1x2xi64>>, window_dimensions = #vhlo.tensor_v1<dense<3> : tensor<1xi64>>, window_strides = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>}>
// CHECK: "vhlo.compare_v1"({{.*}}) <{compare_type = #vhlo<comparison_type_v1 NOTYPE>, comparison_direction = #vhlo<comparison_direction_v1 GE>}>
// CHECK: "vhlo.add_v1"(
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<2x!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x!vhlo.quant_per_axis_v1<!vhlo.i8_v1:!vhlo.f32_v1, 0, [5.000000e-01, 2.500000e-01], [-1, 2], -128:127, 1>>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"per_axis_quantization">
// CHECK: "vhlo.uniform_quantize_v1"(
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<!vhlo.i32_v1>) -> !vhlo.tensor_v1<!vhlo.i32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"composites">
// CHECK: "vhlo.composite_v1"({{.*}}) <{composite_attributes = #vhlo.dict_v1<{#vhlo.string_v1<"level"> = #vhlo.integer_v1<1 : i64>, #vhlo.string_v1<"name"> = #vhlo.string_v1<"n">}>, decomposition = #vhlo.string_v1<"callee">, name = #vhlo.string_v1<"house.negative">, version = #vhlo.integer_v1<2 : i32>}>
// CHECK: "vhlo.composite_v1"({{.*}}) <{composite_attributes = #vhlo.dict_v1<{}>, decomposition = #vhlo.string_v1<"callee">, name = #vhlo.string_v1<"house.negative">, version = #vhlo.integer_v1<0 : i64>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<2x4x!vhlo.f32_v1>, !vhlo.tensor_v1<2x1x!vhlo.i64_v1>, !vhlo.tensor_v1<2x1x!vhlo.f32_v1>, !vhlo.tensor_v1<2x!vhlo.i64_v1>) -> !vhlo.tensor_v1<2x4x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"batching_dimensions">
// CHECK: "vhlo.gather_v2"({{.*}}) <{collapsed_slice_dims = #vhlo.tensor_v1<dense<> : tensor<0xi64>>, index_vector_dim = #vhlo.integer_v1<1 : i64>, indices_are_sorted = #vhlo.bool_v1<false>, offset_dims = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>, operand_batching_dims = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>, slice_sizes = #vhlo.tensor_v1<dense<1> : tensor<2xi64>>, start_index_map = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>, start_indices_batching_dims = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>}>
// CHECK: "vhlo.dynamic_gather_v2"({{.*}}) <{collapsed_slice_dims = #vhlo.tensor_v1<dense<> : tensor<0xi64>>, index_vector_dim = #vhlo.integer_v1<1 : i64>, indices_are_sorted = #vhlo.bool_v1<false>, offset_dims = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>, operand_batching_dims = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>, start_index_map = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>, start_indices_batching_dims = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>}>
// CHECK: "vhlo.scatter_v2"({{.*}}) <{index_vector_dim = #vhlo.integer_v1<1 : i64>, indices_are_sorted = #vhlo.bool_v1<false>, input_batching_dims = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>, inserted_window_dims = #vhlo.tensor_v1<dense<> : tensor<0xi64>>, scatter_dims_to_operand_dims = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>, scatter_indices_batching_dims = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>, unique_indices = #vhlo.bool_v1<false>, update_window_dims = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>}>
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<!vhlo.i2_v1>, !vhlo.tensor_v1<!vhlo.ui2_v1>) -> ()>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"types_1_2_0">
// CHECK-LABEL: function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<2x!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"typed_custom_calls">
// CHECK: "vhlo.custom_call_v1"({{.*}}) <{api_version = #vhlo<api_version_v1 API_VERSION_TYPED_FFI>, backend_config = #vhlo.dict_v1<{#vhlo.string_v1<"flag"> = #vhlo.bool_v1<true>, #vhlo.string_v1<"level"> = #vhlo.integer_v1<3 : i32>}>, call_target_name = #vhlo.string_v1<"house">, called_computations = #vhlo.array_v1<[]>, has_side_effect = #vhlo.bool_v1<false>, operand_layouts = #vhlo.array_v1<[]>, output_operand_aliases = #vhlo.array_v1<[]>, result_layouts = #vhlo.array_v1<[]>}>
// CHECK: "vhlo.custom_call_v1"({{.*}}) <{api_version = #vhlo<api_version_v1 API_VERSION_TYPED_FFI>, backend_config = #vhlo.dict_v1<{}>, call_target_name = #vhlo.string_v1<"house">, called_computations = #vhlo.array_v1<[]>, has_side_effect = #vhlo.bool_v1<false>, operand_layouts = #vhlo.array_v1<[]>, output_operand_aliases = #vhlo.array_v1<[]>, result_layouts = #vhlo.array_v1<[]>}>

func.func @elementwise_unary(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.abs %operand : tensor<2xf32>
  %1 = stablehlo.cbrt %0 : tensor<2xf32>
  %2 = stablehlo.ceil %1 : tensor<2xf32>
  %3 = stablehlo.cosine %2 : tensor<2xf32>
  %4 = stablehlo.exponential %3 : tensor<2xf32>
  %5 = stablehlo.exponential_minus_one %4 : tensor<2xf32>
  %6 = stablehlo.floor %5 : tensor<2xf32>
  %7 = stablehlo.log %6 : tensor<2xf32>
  %8 = stablehlo.log_plus_one %7 : tensor<2xf32>
  %9 = stablehlo.logistic %8 : tensor<2xf32>
  %10 = stablehlo.negate %9 : tensor<2xf32>
  %11 = stablehlo.round_nearest_afz %10 : tensor<2xf32>
  %12 = stablehlo.round_nearest_even %11 : tensor<2xf32>
  %13 = stablehlo.rsqrt %12 : tensor<2xf32>
  %14 = stablehlo.sign %13 : tensor<2xf32>
  %15 = stablehlo.sine %14 : tensor<2xf32>
  %16 = stablehlo.sqrt %15 : tensor<2xf32>
  %17 = stablehlo.tanh %16 : tensor<2xf32>
  %18 = stablehlo.reduce_precision %17, format = e5m10 : tensor<2xf32>
  %19 = stablehlo.is_finite %18 : (tensor<2xf32>) -> tensor<2xi1>
  return %18 : tensor<2xf32>
}

func.func @elementwise_binary(%lhs: tensor<2xi32>, %rhs: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.add %lhs, %rhs : tensor<2xi32>
  %1 = stablehlo.and %0, %rhs : tensor<2xi32>
  %2 = stablehlo.divide %1, %rhs : tensor<2xi32>
  %3 = stablehlo.maximum %2, %rhs : tensor<2xi32>
  %4 = stablehlo.minimum %3, %rhs : tensor<2xi32>
  %5 = stablehlo.multiply %4, %rhs : tensor<2xi32>
  %6 = stablehlo.or %5, %rhs : tensor<2xi32>
  %7 = stablehlo.power %6, %rhs : tensor<2xi32>
  %8 = stablehlo.remainder %7, %rhs : tensor<2xi32>
  %9 = stablehlo.shift_left %8, %rhs : tensor<2xi32>
  %10 = stablehlo.shift_right_arithmetic %9, %rhs : tensor<2xi32>
  %11 = stablehlo.shift_right_logical %10, %rhs : tensor<2xi32>
  %12 = stablehlo.subtract %11, %rhs : tensor<2xi32>
  %13 = stablehlo.xor %12, %rhs : tensor<2xi32>
  %14 = stablehlo.count_leading_zeros %13 : tensor<2xi32>
  %15 = stablehlo.not %14 : tensor<2xi32>
  %16 = stablehlo.popcnt %15 : tensor<2xi32>
  return %16 : tensor<2xi32>
}

func.func @complex_numbers(%real: tensor<2xf32>, %imag: tensor<2xf32>, %wide: tensor<2xcomplex<f64>>) -> tensor<2xf32> {
  %0 = stablehlo.complex %real, %imag : tensor<2xcomplex<f32>>
  %1 = stablehlo.real %0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %2 = stablehlo.imag %0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %3 = stablehlo.atan2 %1, %2 : tensor<2xf32>
  %4 = stablehlo.constant dense<[(1.0, -2.0), (0.0, 0.5)]> : tensor<2xcomplex<f32>>
  return %3 : tensor<2xf32>
}

func.func @constants() -> (tensor<3xi1>, tensor<2xf32>, tensor<f64>, tensor<0xi8>) {
  %0 = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %1 = stablehlo.constant dense<[-0.0, 0x7FC00000]> : tensor<2xf32>
  %2 = stablehlo.constant dense<2.5> : tensor<f64>
  %3 = stablehlo.constant dense<> : tensor<0xi8>
  return %0, %1, %2, %3 : tensor<3xi1>, tensor<2xf32>, tensor<f64>, tensor<0xi8>
}

func.func @compare_directions(%lhs: tensor<f32>, %rhs: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare EQ, %lhs, %rhs : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %1 = stablehlo.compare NE, %lhs, %rhs : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %2 = stablehlo.compare GE, %lhs, %rhs, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %3 = stablehlo.compare GT, %lhs, %rhs, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %4 = stablehlo.compare LE, %0, %1, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
  return %4 : tensor<i1>
}

func.func @compare_types(%lhs: tensor<i8>, %rhs: tensor<i8>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %lhs, %rhs, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
  %1 = stablehlo.compare LT, %lhs, %rhs : (tensor<i8>, tensor<i8>) -> tensor<i1>
  return %1 : tensor<i1>
}

func.func @clamp_select_convert(%min: tensor<f32>, %operand: tensor<2xf32>, %max: tensor<f32>) -> tensor<2xi32> {
  %0 = stablehlo.clamp %min, %operand, %max : (tensor<f32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %2 = stablehlo.select %1, %0, %operand : tensor<2xi1>, tensor<2xf32>
  %3 = stablehlo.convert %2 : (tensor<2xf32>) -> tensor<2xf16>
  %4 = stablehlo.bitcast_convert %operand : (tensor<2xf32>) -> tensor<2xi32>
  return %4 : tensor<2xi32>
}

func.func @batch_norm(%operand: tensor<2x3xf32>, %scale: tensor<3xf32>, %offset: tensor<3xf32>) -> tensor<2x3xf32> {
  %0:3 = "stablehlo.batch_norm_training"(%operand, %scale, %offset) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  %1 = "stablehlo.batch_norm_inference"(%operand, %scale, %offset, %0#1, %0#2) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %2:3 = "stablehlo.batch_norm_grad"(%operand, %scale, %0#1, %0#2, %1) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %2#0 : tensor<2x3xf32>
}

func.func @broadcasts(%operand: tensor<2xf32>, %output_dimensions: tensor<2xi64>) -> tensor<?x?xf32> {
  %0 = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<2xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.broadcast %operand, sizes = [3] : (tensor<2xf32>) -> tensor<3x2xf32>
  %2 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1] {known_nonexpanding_dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %3 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1] {known_expanding_dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

func.func @dynamic_broadcast_defaults(%operand: tensor<2xf32>, %output_dimensions: tensor<2xi64>) -> tensor<?x?xf32> {
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1] : (tensor<2xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @control_flow(%index: tensor<i32>, %pred: tensor<i1>, %operand: tensor<i32>) -> tensor<i32> {
  %0 = "stablehlo.case"(%index) ({
    stablehlo.return %operand : tensor<i32>
  }, {
    stablehlo.return %index : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  %1 = "stablehlo.if"(%pred) ({
    stablehlo.return %operand : tensor<i32>
  }, {
    stablehlo.return %0 : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  %2 = stablehlo.while(%iteration = %1) : tensor<i32>
  cond {
    %4 = stablehlo.compare LT, %iteration, %operand : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %4 : tensor<i1>
  } do {
    %5 = stablehlo.add %iteration, %operand : tensor<i32>
    stablehlo.return %5 : tensor<i32>
  }
  %3 = stablehlo.optimization_barrier %2 : tensor<i32>
  %6 = call @callee(%3) : (tensor<i32>) -> tensor<i32>
  return %6 : tensor<i32>
}

func.func private @callee(%operand: tensor<i32> {house.argument = "first"}) -> (tensor<i32> {house.result = 1 : i64}) attributes {house.flag = true, house.inner = {depth = 1 : i32}, house.list = [1 : i32, 2.0 : f32], house.size = 3 : index, house.type = tensor<2xf32>, house.values = dense<[1, 2]> : tensor<2xi64>} {
  return %operand : tensor<i32>
}

func.func @linear_algebra(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<2x2xf32>
  %1 = "stablehlo.triangular_solve"(%0, %a) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = "stablehlo.triangular_solve"(%0, %2) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %3 : tensor<2x2xf32>
}

func.func @cholesky_defaults(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.cholesky %a : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

func.func @collectives(%operand: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = "stablehlo.all_gather"(%operand) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
  %1 = "stablehlo.all_reduce"(%operand) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
  ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
    %6 = stablehlo.add %lhs, %rhs : tensor<f32>
    stablehlo.return %6 : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = "stablehlo.all_to_all"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %3 = "stablehlo.collective_permute"(%operand) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %4 = "stablehlo.reduce_scatter"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
  ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
    %7 = stablehlo.add %lhs, %rhs : tensor<f32>
    stablehlo.return %7 : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x2xf32>
  %5 = "stablehlo.cross-replica-sum"(%operand) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %5 : tensor<2x4xf32>
}

func.func @collective_defaults(%operand: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = "stablehlo.all_gather"(%operand) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
  %1 = "stablehlo.all_reduce"(%operand) <{replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>}> ({
  ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
    %5 = stablehlo.add %lhs, %rhs : tensor<f32>
    stablehlo.return %5 : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = "stablehlo.all_to_all"(%1) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %3 = "stablehlo.collective_permute"(%operand) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %4 = "stablehlo.reduce_scatter"(%3) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
    %6 = stablehlo.add %lhs, %rhs : tensor<f32>
    stablehlo.return %6 : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x2xf32>
  return %3 : tensor<2x4xf32>
}

func.func @process_ids() -> (tensor<ui32>, tensor<ui32>) {
  %0 = stablehlo.partition_id : tensor<ui32>
  %1 = stablehlo.replica_id : tensor<ui32>
  return %0, %1 : tensor<ui32>, tensor<ui32>
}

func.func @contractions(%lhs: tensor<1x2x3xf32>, %rhs: tensor<1x3x2xf32>) -> tensor<1x2x2xf32> {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGH, HIGHEST] : (tensor<1x2x3xf32>, tensor<1x3x2xf32>) -> tensor<1x2x2xf32>
  %1 = "stablehlo.einsum"(%lhs, %rhs) <{einsum_config = "bij,bjk->bik"}> : (tensor<1x2x3xf32>, tensor<1x3x2xf32>) -> tensor<1x2x2xf32>
  %2 = "stablehlo.unary_einsum"(%1) <{einsum_config = "bij->ij"}> : (tensor<1x2x2xf32>) -> tensor<2x2xf32>
  %3 = stablehlo.dot %2, %2, precision = [HIGHEST, DEFAULT] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<1x2x2xf32>
}

func.func @dot_general_defaults(%lhs: tensor<2x3xf32>, %rhs: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %0 = "stablehlo.dot_general"(%lhs, %rhs) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

func.func @convolutions(%lhs: tensor<1x4x4x2xf32>, %rhs: tensor<2x2x1x2xf32>, %padding: tensor<2x2xi64>) -> tensor<1x2x3x2xf32> {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 0], [0, 1]], lhs_dilate = [1, 2], rhs_dilate = [2, 3], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x2xf32>, tensor<2x2x1x2xf32>) -> tensor<1x2x3x2xf32>
  %1 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, lhs_dilation = array<i64: 1, 2>, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>], rhs_dilation = array<i64: 2, 1>, window_reversal = array<i1: false, true>, window_strides = array<i64: 2, 2>}> : (tensor<1x4x4x2xf32>, tensor<2x2x1x2xf32>, tensor<2x2xi64>) -> tensor<1x?x?x2xf32>
  return %0 : tensor<1x2x3x2xf32>
}

func.func @convolution_defaults(%lhs: tensor<1x4x4x1xf32>, %rhs: tensor<2x2x1x2xf32>, %padding: tensor<2x2xi64>) -> tensor<1x3x3x2xf32> {
  %0 = "stablehlo.convolution"(%lhs, %rhs) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x4x4x1xf32>, tensor<2x2x1x2xf32>) -> tensor<1x3x3x2xf32>
  %1 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x4x4x1xf32>, tensor<2x2x1x2xf32>, tensor<2x2xi64>) -> tensor<1x?x?x2xf32>
  return %0 : tensor<1x3x3x2xf32>
}

func.func @custom_calls(%input: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.custom_call"(%input) <{api_version = 2 : i32, backend_config = "\01\02", call_target_name = "house", called_computations = [@callee], has_side_effect = true, operand_layouts = [dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<0> : tensor<1xindex>]}> : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.custom_call @house(%0) {api_version = 0 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  %2 = stablehlo.custom_call @house(%1) {api_version = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  %3 = stablehlo.custom_call @house(%2) {api_version = 3 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  return %3 : tensor<2xf32>
}

func.func @custom_call_defaults(%input: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @house(%input) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

func.func @movement(%operand: tensor<2x3xf32>, %padding_value: tensor<f32>) -> tensor<3x2xf32> {
  %0 = stablehlo.concatenate %operand, %operand, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %1 = stablehlo.pad %operand, %padding_value, low = [0, 1], high = [1, 0], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x6xf32>
  %2 = stablehlo.reshape %operand : (tensor<2x3xf32>) -> tensor<6xf32>
  %3 = stablehlo.reverse %operand, dims = [0, 1] : tensor<2x3xf32>
  %4 = stablehlo.slice %operand [0:2:1, 1:3:2] : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %5 = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %6 = stablehlo.transpose %3, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %6 : tensor<3x2xf32>
}

func.func @dynamic_movement(%operand: tensor<?xf32>, %size: tensor<1xi64>, %scalar: tensor<f32>, %index: tensor<i64>) -> tensor<?xf32> {
  %0 = stablehlo.dynamic_iota %size, dim = 0 : (tensor<1xi64>) -> tensor<?xf32>
  %1 = stablehlo.dynamic_pad %operand, %scalar, %size, %size, %size : (tensor<?xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  %2 = stablehlo.dynamic_reshape %1, %size : (tensor<?xf32>, tensor<1xi64>) -> tensor<?xf32>
  %3 = stablehlo.dynamic_slice %2, %index, sizes = [4] : (tensor<?xf32>, tensor<i64>) -> tensor<4xf32>
  %4 = stablehlo.dynamic_update_slice %2, %3, %index : (tensor<?xf32>, tensor<4xf32>, tensor<i64>) -> tensor<?xf32>
  %5 = stablehlo.real_dynamic_slice %4, %size, %size, %size : (tensor<?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  %6 = stablehlo.get_dimension_size %5, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  return %5 : tensor<?xf32>
}

func.func @bounds(%operand: tensor<4xf32>, %size: tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>> {
  %0 = stablehlo.set_dimension_size %operand, %size, dim = 0 : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return %0 : tensor<?xf32, #stablehlo.bounds<4>>
}

func.func @unranked(%operand: tensor<*xf32>) -> tensor<*xf32> {
  return %operand : tensor<*xf32>
}

func.func @fourier(%operand: tensor<4xcomplex<f32>>, %real: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.fft %operand, type = FFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %1 = stablehlo.fft %0, type = IFFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %2 = stablehlo.fft %real, type = RFFT, length = [4] : (tensor<4xf32>) -> tensor<3xcomplex<f32>>
  %3 = stablehlo.fft %2, type = IRFFT, length = [4] : (tensor<3xcomplex<f32>>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

func.func @gathers(%operand: tensor<3x4xf32>, %start_indices: tensor<2x1xi64>, %slice_sizes: tensor<2xi64>) -> tensor<2x4xf32> {
  %0 = "stablehlo.gather"(%operand, %start_indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 4>}> : (tensor<3x4xf32>, tensor<2x1xi64>) -> tensor<2x4xf32>
  %1 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true}> : (tensor<3x4xf32>, tensor<2x1xi64>, tensor<2xi64>) -> tensor<2x?xf32>
  %2 = "stablehlo.torch_index_select"(%operand, %start_indices) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<3x4xf32>, tensor<2x1xi64>) -> tensor<2x1x4xf32>
  return %0 : tensor<2x4xf32>
}

func.func @gather_defaults(%operand: tensor<3x4xf32>, %start_indices: tensor<2x1xi64>, %slice_sizes: tensor<2xi64>) -> tensor<2x4xf32> {
  %0 = "stablehlo.gather"(%operand, %start_indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<3x4xf32>, tensor<2x1xi64>) -> tensor<2x4xf32>
  %1 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<3x4xf32>, tensor<2x1xi64>, tensor<2xi64>) -> tensor<2x?xf32>
  return %0 : tensor<2x4xf32>
}

func.func @scatters(%input: tensor<3x4xf32>, %scatter_indices: tensor<2x1xi64>, %update: tensor<2x4xf32>) -> tensor<3x4xf32> {
  %0 = "stablehlo.scatter"(%input, %scatter_indices, %update) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    stablehlo.return %new : tensor<f32>
  }) : (tensor<3x4xf32>, tensor<2x1xi64>, tensor<2x4xf32>) -> tensor<3x4xf32>
  %1 = "stablehlo.scatter"(%0, %scatter_indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    stablehlo.return %new : tensor<f32>
  }) : (tensor<3x4xf32>, tensor<2x1xi64>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return %1 : tensor<3x4xf32>
}

func.func @select_and_scatters(%operand: tensor<4x4xf32>, %source: tensor<3x2xf32>, %init_value: tensor<f32>) -> tensor<4x4xf32> {
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) <{padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
    %1 = stablehlo.compare GE, %lhs, %rhs : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
    %2 = stablehlo.add %lhs, %rhs : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<3x2xf32>, tensor<f32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

func.func @select_and_scatter_defaults(%operand: tensor<2xf32>, %source: tensor<2xf32>, %init_value: tensor<f32>) -> tensor<2xf32> {
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) <{window_dimensions = array<i64: 1>}> ({
  ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
    %1 = stablehlo.compare GE, %lhs, %rhs : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
    %2 = stablehlo.add %lhs, %rhs : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<2xf32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

func.func @reductions(%input: tensor<4x4xf32>, %init_value: tensor<f32>) -> tensor<2x3xf32> {
  %0 = stablehlo.reduce(%input init: %init_value) applies stablehlo.add across dimensions = [0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = "stablehlo.map"(%input, %input) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
    %3 = stablehlo.multiply %lhs, %rhs : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = "stablehlo.reduce_window"(%1, %init_value) <{base_dilations = array<i64: 2, 1>, padding = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
    %4 = stablehlo.maximum %lhs, %rhs : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<3x2xf32>
  %5 = "stablehlo.reduce_window"(%1, %init_value) <{window_dimensions = array<i64: 3, 2>}> ({
  ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
    %6 = stablehlo.maximum %lhs, %rhs : tensor<f32>
    stablehlo.return %6 : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %5 : tensor<2x3xf32>
}

func.func @sorts(%keys: tensor<4xi32>, %values: tensor<4xf32>) -> (tensor<4xi32>, tensor<4xf32>) {
  %0:2 = "stablehlo.sort"(%keys, %values) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>, %2: tensor<f32>, %3: tensor<f32>):
    %4 = stablehlo.compare LT, %lhs, %rhs : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %4 : tensor<i1>
  }) : (tensor<4xi32>, tensor<4xf32>) -> (tensor<4xi32>, tensor<4xf32>)
  %1 = "stablehlo.sort"(%keys) ({
  ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
    %5 = stablehlo.compare LT, %lhs, %rhs : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %5 : tensor<i1>
  }) : (tensor<4xi32>) -> tensor<4xi32>
  return %0#0, %0#1 : tensor<4xi32>, tensor<4xf32>
}

func.func @random(%low: tensor<f32>, %high: tensor<f32>, %shape: tensor<1xi64>, %state: tensor<2xui64>) -> tensor<4xui32> {
  %0 = stablehlo.rng %low, %high, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  %1 = stablehlo.rng %low, %high, %shape, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  %2:2 = stablehlo.rng_bit_generator %state, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  %3:2 = stablehlo.rng_bit_generator %2#0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  %4:2 = stablehlo.rng_bit_generator %3#0, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  return %4#1 : tensor<4xui32>
}

func.func @tokens(%token: !stablehlo.token, %input: tensor<2xf32>) -> !stablehlo.token {
  %0 = stablehlo.create_token : !stablehlo.token
  %1 = stablehlo.after_all %0, %token : !stablehlo.token
  %2:2 = "stablehlo.infeed"(%1) <{infeed_config = "in", layout = [[0]]}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  %3:2 = "stablehlo.infeed"(%2#1) : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  %4 = "stablehlo.outfeed"(%3#0, %3#1) <{outfeed_config = "out"}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  %5 = "stablehlo.outfeed"(%input, %4) : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  %6 = "stablehlo.send"(%input, %5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  %7 = "stablehlo.send"(%input, %6) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  %8:2 = "stablehlo.recv"(%7) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  %9:2 = "stablehlo.recv"(%8#1) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return %9#1 : !stablehlo.token
}

func.func @tuples(%first: tensor<2xf32>, %token: !stablehlo.token) -> tuple<tensor<2xf32>, !stablehlo.token> {
  %0 = stablehlo.tuple %first, %token : tuple<tensor<2xf32>, !stablehlo.token>
  %1 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<2xf32>, !stablehlo.token>) -> tensor<2xf32>
  return %0 : tuple<tensor<2xf32>, !stablehlo.token>
}

func.func @quantization(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.uniform_quantize %operand : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8<-127:127>:f32, 0.5:-3>>
  %1 = stablehlo.uniform_quantize %operand : (tensor<2xf32>) -> tensor<2x!quant.uniform<u8:f32, 0.25>>
  %2 = stablehlo.uniform_dequantize %0 : (tensor<2x!quant.uniform<i8<-127:127>:f32, 0.5:-3>>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}

func.func @integer_types(%0: tensor<i1>, %1: tensor<i4>, %2: tensor<i8>, %3: tensor<i16>, %4: tensor<i32>, %5: tensor<i64>, %6: tensor<ui4>, %7: tensor<ui8>, %8: tensor<ui16>, %9: tensor<ui32>, %10: tensor<ui64>, %11: tensor<index>) {
  %12 = stablehlo.constant dense<[1, -2, 3]> : tensor<3xi4>
  return
}

func.func @float_types(%0: tensor<bf16>, %1: tensor<f16>, %2: tensor<f32>, %3: tensor<f64>, %4: tensor<f8E4M3FN>, %5: tensor<f8E5M2>) {
  %6 = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf8E5M2>
  return
}

func.func @witness(%witness: !shape.witness) {
  return
}

func.func @types_0_10_0(%0: tensor<f8E4M3FNUZ>, %1: tensor<f8E5M2FNUZ>) {
  return
}

func.func @types_0_11_0(%0: tensor<f8E4M3B11FNUZ>) {
  return
}

func.func @collective_broadcast(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.collective_broadcast"(%operand) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "stablehlo.collective_broadcast"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

func.func @wider_accumulation(%input: tensor<4xf32>, %init_value: tensor<f32>, %indices: tensor<2x1xi64>, %update: tensor<2xf32>) -> tensor<f64> {
  %0 = "stablehlo.reduce"(%input, %init_value) <{dimensions = array<i64: 0>}> ({
  ^bb0(%lhs: tensor<f64>, %rhs: tensor<f64>):
    %6 = stablehlo.add %lhs, %rhs : tensor<f64>
    stablehlo.return %6 : tensor<f64>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f64>
  %1 = "stablehlo.all_reduce"(%input) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%lhs: tensor<f64>, %rhs: tensor<f64>):
    %7 = stablehlo.add %lhs, %rhs : tensor<f64>
    stablehlo.return %7 : tensor<f64>
  }) : (tensor<4xf32>) -> tensor<4xf64>
  %2 = "stablehlo.reduce_scatter"(%input) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%lhs: tensor<f64>, %rhs: tensor<f64>):
    %8 = stablehlo.add %lhs, %rhs : tensor<f64>
    stablehlo.return %8 : tensor<f64>
  }) : (tensor<4xf32>) -> tensor<2xf64>
  %3 = "stablehlo.reduce_window"(%input, %init_value) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%lhs: tensor<f64>, %rhs: tensor<f64>):
    %9 = stablehlo.add %lhs, %rhs : tensor<f64>
    stablehlo.return %9 : tensor<f64>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf64>
  %4 = "stablehlo.scatter"(%input, %indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%lhs: tensor<f64>, %rhs: tensor<f64>):
    %10 = stablehlo.add %lhs, %rhs : tensor<f64>
    stablehlo.return %10 : tensor<f64>
  }) : (tensor<4xf32>, tensor<2x1xi64>, tensor<2xf32>) -> tensor<4xf64>
  %5 = "stablehlo.select_and_scatter"(%input, %update, %init_value) <{window_dimensions = array<i64: 3>}> ({
  ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
    %11 = stablehlo.compare GE, %lhs, %rhs : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %11 : tensor<i1>
  }, {
  ^bb0(%lhs: tensor<f64>, %rhs: tensor<f64>):
    %12 = stablehlo.add %lhs, %rhs : tensor<f64>
    stablehlo.return %12 : tensor<f64>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf64>
  return %0 : tensor<f64>
}

func.func @per_axis_quantization(%operand: tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32:0, {0.5:-1, 0.25:2}>> {
  %0 = stablehlo.uniform_quantize %operand : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32:0, {0.5:-1, 0.25:2}>>
  return %0 : tensor<2x!quant.uniform<i8:f32:0, {0.5:-1, 0.25:2}>>
}

func.func @composites(%operand: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.composite "house.negative" %operand {composite_attributes = {level = 1 : i64, name = "n"}, decomposition = @callee, version = 2 : i32} : (tensor<i32>) -> tensor<i32>
  %1 = stablehlo.composite "house.negative" %0 {decomposition = @callee} : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}

func.func @batching_dimensions(%operand: tensor<2x4xf32>, %indices: tensor<2x1xi64>, %update: tensor<2x1xf32>, %slice_sizes: tensor<2xi64>) -> tensor<2x4xf32> {
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<2x4xf32>, tensor<2x1xi64>) -> tensor<2x1xf32>
  %1 = "stablehlo.dynamic_gather"(%operand, %indices, %slice_sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>}> : (tensor<2x4xf32>, tensor<2x1xi64>, tensor<2xi64>) -> tensor<2x?xf32>
  %2 = "stablehlo.scatter"(%operand, %indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    stablehlo.return %new : tensor<f32>
  }) : (tensor<2x4xf32>, tensor<2x1xi64>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}

func.func @types_1_2_0(%0: tensor<i2>, %1: tensor<ui2>) {
  return
}

func.func @typed_custom_calls(%input: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @house(%input) {api_version = 4 : i32, backend_config = {flag = true, level = 3 : i32}} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.custom_call @house(%0) {api_version = 4 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
