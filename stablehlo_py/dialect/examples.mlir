// Written by tools/generate/contracts.py from tests/lit/verify.
// abs
func.func @abs(%operand: tensor<3x5xi32>) {
  %0 = stablehlo.abs %operand : tensor<3x5xi32>
  return
}
// add
func.func @add(%lhs: tensor<2x6xi32>, %rhs: tensor<2x6xi32>) {
  %0 = stablehlo.add %lhs, %rhs : tensor<2x6xi32>
  return
}
// after_all
func.func @after_all(%token0: !stablehlo.token, %token1: !stablehlo.token) {
  %0 = stablehlo.after_all %token0, %token1 : !stablehlo.token
  return
}
// all_gather
func.func @all_gather(%operands: tensor<2x3xf32>) {
  %0 = "stablehlo.all_gather"(%operands) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}
      : (tensor<2x3xf32>) -> tensor<2x6xf32>
  return
}
// all_reduce
func.func @all_reduce(%operand: tensor<4xf32>) {
  %0 = "stablehlo.all_reduce"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// all_to_all
func.func @all_to_all(%operands: tensor<4x6xf32>) {
  %0 = "stablehlo.all_to_all"(%operands) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}
      : (tensor<4x6xf32>) -> tensor<8x3xf32>
  return
}
// and
func.func @and(%lhs: tensor<4x4xi1>, %rhs: tensor<4x4xi1>) {
  %0 = stablehlo.and %lhs, %rhs : tensor<4x4xi1>
  return
}
// async_done
func.func @async_done(%future: !stablehlo.future<tensor<4xf32>>) {
  %0 = "stablehlo.async_done"(%future) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  return
}
// async_start
func.func @async_start(%operand: tensor<4xf32>) {
  %0 = "stablehlo.async_start"(%operand) ({
    ^bb0(%x: tensor<4xf32>):
      %moved = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}
          : (tensor<4xf32>) -> tensor<4xf32>
      stablehlo.return %moved : tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  return
}
// atan2
func.func @atan2(%lhs: tensor<4xf32>, %rhs: tensor<4xf32>) {
  %0 = stablehlo.atan2 %lhs, %rhs : tensor<4xf32>
  return
}
// batch_norm_grad
func.func @batch_norm_grad(%operand: tensor<4x2xf32>, %scale: tensor<2xf32>, %grad_output: tensor<4x2xf32>) {
  %0:3 = "stablehlo.batch_norm_grad"(%operand, %scale, %scale, %scale, %grad_output) {epsilon = 0.5 : f32, feature_index = 1 : i64}
      : (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<4x2xf32>)
      -> (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>)
  return
}
// batch_norm_inference
func.func @batch_norm_inference(%operand: tensor<2x3xf32>, %scale: tensor<3xf32>, %offset: tensor<3xf32>, %mean: tensor<3xf32>, %variance: tensor<3xf32>) {
  %0 = "stablehlo.batch_norm_inference"(%operand, %scale, %offset, %mean, %variance) {epsilon = 0.125 : f32, feature_index = 1 : i64}
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}
// batch_norm_training
func.func @batch_norm_training(%operand: tensor<4x2xf32>, %scale: tensor<2xf32>, %offset: tensor<2xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%operand, %scale, %offset) {epsilon = 0.5 : f32, feature_index = 1 : i64}
      : (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>)
  return
}
// bitcast_convert
func.func @bitcast_convert(%operand: tensor<3xf32>) {
  %0 = stablehlo.bitcast_convert %operand : (tensor<3xf32>) -> tensor<3xi32>
  return
}
// broadcast
func.func @broadcast(%operand: tensor<3xf32>) {
  %0 = stablehlo.broadcast %operand, sizes = [2, 4] : (tensor<3xf32>) -> tensor<2x4x3xf32>
  return
}
// broadcast_in_dim
func.func @broadcast_in_dim(%operand: tensor<1x3xi32>) {
  %0 = stablehlo.broadcast_in_dim %operand, dims = [2, 1] : (tensor<1x3xi32>) -> tensor<2x3x4xi32>
  return
}
// case
func.func @case(%index: tensor<i32>, %value: tensor<3xf32>) {
  %0 = "stablehlo.case"(%index) ({
      stablehlo.return %value : tensor<3xf32>
  }, {
      %negated = stablehlo.negate %value : tensor<3xf32>
      stablehlo.return %negated : tensor<3xf32>
  }, {
      %root = stablehlo.sqrt %value : tensor<3xf32>
      stablehlo.return %root : tensor<3xf32>
  }) : (tensor<i32>) -> tensor<3xf32>
  return
}
// cbrt
func.func @cbrt(%operand: tensor<3x5xf32>) {
  %0 = stablehlo.cbrt %operand : tensor<3x5xf32>
  return
}
// ceil
func.func @ceil(%operand: tensor<2x7xf32>) {
  %0 = stablehlo.ceil %operand : tensor<2x7xf32>
  return
}
// cholesky
func.func @cholesky(%a: tensor<4x4xf32>) {
  %0 = stablehlo.cholesky %a, lower = true : tensor<4x4xf32>
  return
}
// clamp
func.func @clamp(%min: tensor<3xf32>, %operand: tensor<3xf32>, %max: tensor<3xf32>) {
  %0 = stablehlo.clamp %min, %operand, %max : tensor<3xf32>
  return
}
// collective_broadcast
func.func @collective_broadcast(%operand: tensor<4xf32>) {
  %0 = "stablehlo.collective_broadcast"(%operand) {replica_groups = dense<[[2, 0], [1, 3]]> : tensor<2x2xi64>}
      : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// collective_permute
func.func @collective_permute(%operand: tensor<4xf32>) {
  %0 = "stablehlo.collective_permute"(%operand) {source_target_pairs = dense<[[0, 1], [1, 2], [2, 0]]> : tensor<3x2xi64>}
      : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// collective_reduce
func.func @collective_reduce(%operand: tensor<4xf32>) {
  %0 = "stablehlo.collective_reduce"(%operand) ({
  ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
    %sum = stablehlo.add %lhs, %rhs : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// compare
func.func @compare(%lhs: tensor<2x3xi32>, %rhs: tensor<2x3xi32>) {
  %0 = stablehlo.compare LT, %lhs, %rhs, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
  return
}
// complex
func.func @complex(%lhs: tensor<3xf32>, %rhs: tensor<3xf32>) {
  %0 = stablehlo.complex %lhs, %rhs : tensor<3xcomplex<f32>>
  return
}
// composite
func.func @composite(%input: tensor<2xf32>) {
  %0 = stablehlo.composite "my_library.twice" %input {
    composite_attributes = {factor = 2 : i64}, decomposition = @twice, version = 1 : i32
  } : (tensor<2xf32>) -> tensor<2xf32>
  return
}
func.func private @twice(%value: tensor<2xf32>) -> tensor<2xf32> {
  %sum = stablehlo.add %value, %value : tensor<2xf32>
  return %sum : tensor<2xf32>
}
// concatenate
func.func @concatenate(%inputs0: tensor<2x3xf32>, %inputs1: tensor<2x4xf32>) {
  %0 = stablehlo.concatenate %inputs0, %inputs1, dim = 1 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x7xf32>
  return
}
// constant
func.func @constant() {
  %0 = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf32>
  return
}
// convert
func.func @convert(%operand: tensor<3x2xf32>) {
  %0 = stablehlo.convert %operand : (tensor<3x2xf32>) -> tensor<3x2xi8>
  return
}
// convolution
func.func @convolution(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>) {
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x6x4x5xf32>
  return
}
// cosine
func.func @cosine(%operand: tensor<4xf32>) {
  %0 = stablehlo.cosine %operand : tensor<4xf32>
  return
}
// count_leading_zeros
func.func @count_leading_zeros(%operand: tensor<3x5xi16>) {
  %0 = stablehlo.count_leading_zeros %operand : tensor<3x5xi16>
  return
}
// create_token
func.func @create_token() {
  %0 = stablehlo.create_token : !stablehlo.token
  return
}
// cross-replica-sum
func.func @cross_replica_sum(%operand: tensor<4xf32>) {
  %0 = "stablehlo.cross-replica-sum"(%operand) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// custom_call
func.func @custom_call(%input: tensor<2x3xf32>) {
  %0 = stablehlo.custom_call @my_target(%input) {has_side_effect = true, backend_config = "fast"}
      : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}
// divide
func.func @divide(%lhs: tensor<2x7xi32>, %rhs: tensor<2x7xi32>) {
  %0 = stablehlo.divide %lhs, %rhs : tensor<2x7xi32>
  return
}
// dot
func.func @dot(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) {
  %0 = stablehlo.dot %lhs, %rhs : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// dot_general
func.func @dot_general(%lhs: tensor<5x2x3xf32>, %rhs: tensor<5x3x4xf32>) {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  return
}
// dynamic_broadcast_in_dim
func.func @dynamic_broadcast_in_dim(%operand: tensor<1x3xi32>, %output_dimensions: tensor<3xi64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [2, 1]
      : (tensor<1x3xi32>, tensor<3xi64>) -> tensor<?x3x?xi32>
  return
}
// dynamic_conv
func.func @dynamic_conv(%lhs: tensor<2x8x6x4xf32>, %rhs: tensor<3x3x4x5xf32>, %padding: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64
  } : (tensor<2x8x6x4xf32>, tensor<3x3x4x5xf32>, tensor<2x2xi64>) -> tensor<2x?x?x5xf32>
  return
}
// dynamic_gather
func.func @dynamic_gather(%operand: tensor<3x4x2xi32>, %start_indices: tensor<6x2xi64>, %slice_sizes: tensor<3xi32>) {
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>
  } : (tensor<3x4x2xi32>, tensor<6x2xi64>, tensor<3xi32>) -> tensor<6x?x?xi32>
  return
}
// dynamic_iota
func.func @dynamic_iota(%output_shape: tensor<2xi64>) {
  %0 = stablehlo.dynamic_iota %output_shape, dim = 1 : (tensor<2xi64>) -> tensor<?x?xf32>
  return
}
// dynamic_pad
func.func @dynamic_pad(%operand: tensor<2x3xf32>, %padding_value: tensor<f32>, %low: tensor<2xi64>, %high: tensor<2xi64>, %interior: tensor<2xi64>) {
  %0 = stablehlo.dynamic_pad %operand, %padding_value, %low, %high, %interior
      : (tensor<2x3xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}
// dynamic_reshape
func.func @dynamic_reshape(%operand: tensor<2x6xf32>, %output_shape: tensor<2xi64>) {
  %0 = stablehlo.dynamic_reshape %operand, %output_shape : (tensor<2x6xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  return
}
// dynamic_slice
func.func @dynamic_slice(%operand: tensor<4x6xf32>, %start_indices0: tensor<i32>, %start_indices1: tensor<i32>) {
  %0 = stablehlo.dynamic_slice %operand, %start_indices0, %start_indices1, sizes = [2, 6]
      : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x6xf32>
  return
}
// dynamic_update_slice
func.func @dynamic_update_slice(%operand: tensor<4x6xf32>, %update: tensor<2x6xf32>, %start_indices0: tensor<i32>, %start_indices1: tensor<i32>) {
  %0 = stablehlo.dynamic_update_slice %operand, %update, %start_indices0, %start_indices1
      : (tensor<4x6xf32>, tensor<2x6xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>
  return
}
// einsum
func.func @einsum(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) {
  %0 = "stablehlo.einsum"(%lhs, %rhs) {einsum_config = "ij,jk->ik"}
      : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// exponential
func.func @exponential(%operand: tensor<2x7xf32>) {
  %0 = stablehlo.exponential %operand : tensor<2x7xf32>
  return
}
// exponential_minus_one
func.func @exponential_minus_one(%operand: tensor<1x9xf32>) {
  %0 = stablehlo.exponential_minus_one %operand : tensor<1x9xf32>
  return
}
// fft
func.func @fft(%operand: tensor<3x8xcomplex<f32>>) {
  %0 = stablehlo.fft %operand, type = FFT, length = [8] : (tensor<3x8xcomplex<f32>>) -> tensor<3x8xcomplex<f32>>
  return
}
// floor
func.func @floor(%operand: tensor<1x9xf32>) {
  %0 = stablehlo.floor %operand : tensor<1x9xf32>
  return
}
// gather
func.func @gather(%operand: tensor<3x4x2xi32>, %start_indices: tensor<2x3x2xi64>) {
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 2, 2>
  } : (tensor<3x4x2xi32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xi32>
  return
}
// get_dimension_size
func.func @get_dimension_size(%operand: tensor<4x?xf32>) {
  %0 = stablehlo.get_dimension_size %operand, dim = 1 : (tensor<4x?xf32>) -> tensor<i32>
  return
}
// get_tuple_element
func.func @get_tuple_element(%operand: tuple<tensor<2xf32>, tensor<i1>>) {
  %0 = stablehlo.get_tuple_element %operand[1] : (tuple<tensor<2xf32>, tensor<i1>>) -> tensor<i1>
  return
}
// if
func.func @if(%pred: tensor<i1>, %value: tensor<3xf32>) {
  %0 = "stablehlo.if"(%pred) ({
      stablehlo.return %value : tensor<3xf32>
  }, {
      %negated = stablehlo.negate %value : tensor<3xf32>
      stablehlo.return %negated : tensor<3xf32>
  }) : (tensor<i1>) -> tensor<3xf32>
  return
}
// imag
func.func @imag(%operand: tensor<2x3xcomplex<f32>>) {
  %0 = stablehlo.imag %operand : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
  return
}
// infeed
func.func @infeed(%token: !stablehlo.token) {
  %0:2 = "stablehlo.infeed"(%token) {infeed_config = "", layout = [[0]]}
      : (!stablehlo.token) -> (tensor<3xi32>, !stablehlo.token)
  return
}
// iota
func.func @iota() {
  %0 = stablehlo.iota dim = 1 : tensor<2x3xi32>
  return
}
// is_finite
func.func @is_finite(%x: tensor<4x4xf32>) {
  %0 = stablehlo.is_finite %x : (tensor<4x4xf32>) -> tensor<4x4xi1>
  return
}
// log
func.func @log(%operand: tensor<6x2xf32>) {
  %0 = stablehlo.log %operand : tensor<6x2xf32>
  return
}
// log_plus_one
func.func @log_plus_one(%operand: tensor<8x1xf32>) {
  %0 = stablehlo.log_plus_one %operand : tensor<8x1xf32>
  return
}
// logistic
func.func @logistic(%operand: tensor<2x3x4xf32>) {
  %0 = stablehlo.logistic %operand : tensor<2x3x4xf32>
  return
}
// map
func.func @map(%inputs0: tensor<4x3xf32>, %inputs1: tensor<4x3xf32>) {
  %0 = "stablehlo.map"(%inputs0, %inputs1) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %product = stablehlo.multiply %a, %b : tensor<f32>
      stablehlo.return %product : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}
// maximum
func.func @maximum(%lhs: tensor<1x9xf32>, %rhs: tensor<1x9xf32>) {
  %0 = stablehlo.maximum %lhs, %rhs : tensor<1x9xf32>
  return
}
// minimum
func.func @minimum(%lhs: tensor<6x2xf16>, %rhs: tensor<6x2xf16>) {
  %0 = stablehlo.minimum %lhs, %rhs : tensor<6x2xf16>
  return
}
// multiply
func.func @multiply(%lhs: tensor<8x1xf64>, %rhs: tensor<8x1xf64>) {
  %0 = stablehlo.multiply %lhs, %rhs : tensor<8x1xf64>
  return
}
// negate
func.func @negate(%operand: tensor<2x3x4xi32>) {
  %0 = stablehlo.negate %operand : tensor<2x3x4xi32>
  return
}
// not
func.func @not(%operand: tensor<10xi1>) {
  %0 = stablehlo.not %operand : tensor<10xi1>
  return
}
// optimization_barrier
func.func @optimization_barrier(%operand0: tensor<2xf32>, %operand1: !stablehlo.token) {
  %0:2 = stablehlo.optimization_barrier %operand0, %operand1 : tensor<2xf32>, !stablehlo.token
  return
}
// or
func.func @or(%lhs: tensor<3x5xi1>, %rhs: tensor<3x5xi1>) {
  %0 = stablehlo.or %lhs, %rhs : tensor<3x5xi1>
  return
}
// outfeed
func.func @outfeed(%value: tensor<3xf32>, %token: !stablehlo.token) {
  %0 = "stablehlo.outfeed"(%value, %token) {outfeed_config = ""} : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// pad
func.func @pad(%operand: tensor<2x3xf32>, %padding_value: tensor<f32>) {
  %0 = stablehlo.pad %operand, %padding_value, low = [0, 1], high = [2, 1], interior = [1, 0]
      : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x5xf32>
  return
}
// partition_id
func.func @partition_id() {
  %0 = stablehlo.partition_id : tensor<ui32>
  return
}
// popcnt
func.func @popcnt(%operand: tensor<4x4xui8>) {
  %0 = stablehlo.popcnt %operand : tensor<4x4xui8>
  return
}
// power
func.func @power(%lhs: tensor<2x3x4xf32>, %rhs: tensor<2x3x4xf32>) {
  %0 = stablehlo.power %lhs, %rhs : tensor<2x3x4xf32>
  return
}
// real
func.func @real(%operand: tensor<7xcomplex<f64>>) {
  %0 = stablehlo.real %operand : (tensor<7xcomplex<f64>>) -> tensor<7xf64>
  return
}
// real_dynamic_slice
func.func @real_dynamic_slice(%operand: tensor<4x6xf32>, %start: tensor<2xi64>, %limit: tensor<2xi64>, %strides: tensor<2xi64>) {
  %0 = stablehlo.real_dynamic_slice %operand, %start, %limit, %strides
      : (tensor<4x6xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}
// recv
func.func @recv(%token: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%token) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true}
      : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
  return
}
// reduce
func.func @reduce(%inputs: tensor<4x3x2xf32>, %init_values: tensor<f32>) {
  %0 = stablehlo.reduce(%inputs init: %init_values) applies stablehlo.add across dimensions = [0, 2]
      : (tensor<4x3x2xf32>, tensor<f32>) -> tensor<3xf32>
  return
}
// reduce_precision
func.func @reduce_precision(%operand: tensor<6xf64>) {
  %0 = stablehlo.reduce_precision %operand, format = e5m10 : tensor<6xf64>
  return
}
// reduce_scatter
func.func @reduce_scatter(%operand: tensor<4x6xf32>) {
  %0 = "stablehlo.reduce_scatter"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return
}
// reduce_window
func.func @reduce_window(%inputs: tensor<4x6xf32>, %init_values: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%inputs, %init_values) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 1, 2>
  } : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}
// remainder
func.func @remainder(%lhs: tensor<5x0xi64>, %rhs: tensor<5x0xi64>) {
  %0 = stablehlo.remainder %lhs, %rhs : tensor<5x0xi64>
  return
}
// replica_id
func.func @replica_id() {
  %0 = stablehlo.replica_id : tensor<ui32>
  return
}
// reshape
func.func @reshape(%operand: tensor<2x6xf32>) {
  %0 = stablehlo.reshape %operand : (tensor<2x6xf32>) -> tensor<3x4xf32>
  return
}
// return
func.func @return(%pred: tensor<i1>, %value: tensor<3xf32>) {
  %0 = "stablehlo.if"(%pred) ({
    stablehlo.return %value : tensor<3xf32>
  }, {
    stablehlo.return %value : tensor<3xf32>
  }) : (tensor<i1>) -> tensor<3xf32>
  return
}
// reverse
func.func @reverse(%operand: tensor<2x3x4xi16>) {
  %0 = stablehlo.reverse %operand, dims = [2, 0] : tensor<2x3x4xi16>
  return
}
// rng
func.func @rng(%a: tensor<f32>, %b: tensor<f32>, %shape: tensor<2xi64>) {
  %0 = stablehlo.rng %a, %b, %shape, distribution = NORMAL
      : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}
// rng_bit_generator
func.func @rng_bit_generator(%initial_state: tensor<2xui64>) {
  %0:2 = stablehlo.rng_bit_generator %initial_state, algorithm = THREE_FRY
      : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>)
  return
}
// round_nearest_afz
func.func @round_nearest_afz(%operand: tensor<6x2xf32>) {
  %0 = stablehlo.round_nearest_afz %operand : tensor<6x2xf32>
  return
}
// round_nearest_even
func.func @round_nearest_even(%operand: tensor<8x1xf32>) {
  %0 = stablehlo.round_nearest_even %operand : tensor<8x1xf32>
  return
}
// rsqrt
func.func @rsqrt(%operand: tensor<5x0xf32>) {
  %0 = stablehlo.rsqrt %operand : tensor<5x0xf32>
  return
}
// scatter
func.func @scatter(%inputs: tensor<5x4x3xf32>, %scatter_indices: tensor<7x2xi64>, %updates: tensor<7x3xf32>) {
  %0 = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  } : (tensor<5x4x3xf32>, tensor<7x2xi64>, tensor<7x3xf32>) -> tensor<5x4x3xf32>
  return
}
// select
func.func @select(%pred: tensor<4xi1>, %on_true: tensor<4xi32>, %on_false: tensor<4xi32>) {
  %0 = stablehlo.select %pred, %on_true, %on_false : tensor<4xi1>, tensor<4xi32>
  return
}
// select_and_scatter
func.func @select_and_scatter(%operand: tensor<6x4xf32>, %source: tensor<3x2xf32>, %init_value: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %larger = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %larger : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 2>,
    window_strides = array<i64: 2, 2>
  } : (tensor<6x4xf32>, tensor<3x2xf32>, tensor<f32>) -> tensor<6x4xf32>
  return
}
// send
func.func @send(%inputs: tensor<3xf32>, %token: !stablehlo.token) {
  %0 = "stablehlo.send"(%inputs, %token) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}
      : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// set_dimension_size
func.func @set_dimension_size(%operand: tensor<4x5xf32>, %size: tensor<i32>) {
  %0 = stablehlo.set_dimension_size %operand, %size, dim = 1
      : (tensor<4x5xf32>, tensor<i32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 5>>
  return
}
// shift_left
func.func @shift_left(%lhs: tensor<2x7xi32>, %rhs: tensor<2x7xi32>) {
  %0 = stablehlo.shift_left %lhs, %rhs : tensor<2x7xi32>
  return
}
// shift_right_arithmetic
func.func @shift_right_arithmetic(%lhs: tensor<1x9xi32>, %rhs: tensor<1x9xi32>) {
  %0 = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<1x9xi32>
  return
}
// shift_right_logical
func.func @shift_right_logical(%lhs: tensor<6x2xi32>, %rhs: tensor<6x2xi32>) {
  %0 = stablehlo.shift_right_logical %lhs, %rhs : tensor<6x2xi32>
  return
}
// sign
func.func @sign(%operand: tensor<5x0xf64>) {
  %0 = stablehlo.sign %operand : tensor<5x0xf64>
  return
}
// sine
func.func @sine(%operand: tensor<10xf32>) {
  %0 = stablehlo.sine %operand : tensor<10xf32>
  return
}
// slice
func.func @slice(%operand: tensor<5x8xi32>) {
  %0 = stablehlo.slice %operand [1:5:2, 0:8] : (tensor<5x8xi32>) -> tensor<2x8xi32>
  return
}
// sort
func.func @sort(%inputs0: tensor<4x5xi32>, %inputs1: tensor<4x5xf32>) {
  %0:2 = "stablehlo.sort"(%inputs0, %inputs1) ({
    ^bb0(%a0: tensor<i32>, %a1: tensor<i32>, %b0: tensor<f32>, %b1: tensor<f32>):
      %before = stablehlo.compare LT, %a0, %a1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %before : tensor<i1>
  }) {dimension = 1 : i64, is_stable = true} : (tensor<4x5xi32>, tensor<4x5xf32>) -> (tensor<4x5xi32>, tensor<4x5xf32>)
  return
}
// sqrt
func.func @sqrt(%operand: tensor<4x4xf32>) {
  %0 = stablehlo.sqrt %operand : tensor<4x4xf32>
  return
}
// subtract
func.func @subtract(%lhs: tensor<10xui8>, %rhs: tensor<10xui8>) {
  %0 = stablehlo.subtract %lhs, %rhs : tensor<10xui8>
  return
}
// tan
func.func @tan(%operand: tensor<3x5xf32>) {
  %0 = stablehlo.tan %operand : tensor<3x5xf32>
  return
}
// tanh
func.func @tanh(%operand: tensor<4xf32>) {
  %0 = stablehlo.tanh %operand : tensor<4xf32>
  return
}
// torch_index_select
func.func @torch_index_select(%operand: tensor<5x2xf32>, %index: tensor<3xi32>) {
  %0 = "stablehlo.torch_index_select"(%operand, %index) {dim = 0 : i64, batch_dims = 0 : i64}
      : (tensor<5x2xf32>, tensor<3xi32>) -> tensor<3x2xf32>
  return
}
// transpose
func.func @transpose(%operand: tensor<2x3x4xf32>) {
  %0 = stablehlo.transpose %operand, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  return
}
// triangular_solve
func.func @triangular_solve(%a: tensor<4x4xf32>, %b: tensor<4x3xf32>) {
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}
      : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}
// tuple
func.func @tuple(%val0: tensor<2xf32>, %val1: tensor<i1>) {
  %0 = stablehlo.tuple %val0, %val1 : tuple<tensor<2xf32>, tensor<i1>>
  return
}
// unary_einsum
func.func @unary_einsum(%operand: tensor<2x3xf32>) {
  %0 = "stablehlo.unary_einsum"(%operand) {einsum_config = "ij->ji"} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}
// uniform_dequantize
func.func @uniform_dequantize(%operand: tensor<4x!quant.uniform<i8:f32, 0.5:1>>) {
  %0 = stablehlo.uniform_dequantize %operand : (tensor<4x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<4xf32>
  return
}
// uniform_quantize
func.func @uniform_quantize(%operand: tensor<4xf32>) {
  %0 = stablehlo.uniform_quantize %operand : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5:1>>
  return
}
// while
func.func @while(%counter: tensor<i32>, %values: tensor<4xf32>) {
  %0:2 = "stablehlo.while"(%counter, %values) ({
    ^bb0(%c: tensor<i32>, %v: tensor<4xf32>):
      %limit = stablehlo.constant dense<9> : tensor<i32>
      %more = stablehlo.compare LT, %c, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
  }, {
    ^bb0(%c: tensor<i32>, %v: tensor<4xf32>):
      %next = stablehlo.add %c, %c : tensor<i32>
      stablehlo.return %next, %v : tensor<i32>, tensor<4xf32>
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
  return
}
// xor
func.func @xor(%lhs: tensor<4xi1>, %rhs: tensor<4xi1>) {
  %0 = stablehlo.xor %lhs, %rhs : tensor<4xi1>
  return
}
