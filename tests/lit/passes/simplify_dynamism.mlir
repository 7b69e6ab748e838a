// RUN: stablehlo-opt --stablehlo-aggressive-simplification=optimize-float=false %s | FileCheck %s
// RUN: stablehlo-opt --stablehlo-aggressive-folder %s | FileCheck %s --check-prefix=FOLD

// Each function is named after the pattern that it wants to see, or begins with `keeps_` where nothing may change.
// `test.value` and `test.shape` say what the arguments are when the functions are run before and after.

// CHECK-LABEL: @known_dimension_size
func.func @known_dimension_size(%x: tensor<?x5xf32> {test.shape = array<i64: 2, 5>}) -> (tensor<i32>, tensor<i32>) {
  // CHECK: %[[FIVE:.*]] = stablehlo.constant dense<5> : tensor<i32>
  // CHECK: %[[SIZE:.*]] = stablehlo.get_dimension_size %arg0, dim = 0
  // CHECK: return %[[SIZE]], %[[FIVE]]
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x5xf32>) -> tensor<i32>
  %1 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x5xf32>) -> tensor<i32>
  return %0, %1 : tensor<i32>, tensor<i32>
}

// CHECK-LABEL: @set_dimension_size_to_itself
func.func @set_dimension_size_to_itself(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  // CHECK-NEXT: return %arg0
  %four = stablehlo.constant dense<4> : tensor<i32>
  %0 = stablehlo.set_dimension_size %x, %four, dim = 0 : (tensor<4x2xf32>, tensor<i32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// CHECK-LABEL: @dynamic_reshape_is_static
func.func @dynamic_reshape_is_static(%x: tensor<6xf32>, %s: tensor<2xi32> {test.value = dense<[2, 3]> : tensor<2xi32>}) -> tensor<2x3xf32> {
  // CHECK-NEXT: stablehlo.reshape %arg0 : (tensor<6xf32>) -> tensor<2x3xf32>
  // FOLD: stablehlo.reshape %arg0 : (tensor<6xf32>) -> tensor<2x3xf32>
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @dynamic_reshape_to_constant_shape
func.func @dynamic_reshape_to_constant_shape(%x: tensor<6xf32>) -> tensor<?x3xf32> {
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %arg0 : (tensor<6xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate %[[R]] : (tensor<2x3xf32>) -> tensor<?x3xf32>
  // CHECK-NEXT: return %[[N]]
  // FOLD: stablehlo.reshape %arg0 : (tensor<6xf32>) -> tensor<2x3xf32>
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<2xi32>) -> tensor<?x3xf32>
  %1 = stablehlo.negate %0 : tensor<?x3xf32>
  return %1 : tensor<?x3xf32>
}

// The function's type does not change: a conversion stands between.
// CHECK-LABEL: @dynamic_reshape_to_constant_shape_returned
func.func @dynamic_reshape_to_constant_shape_returned(%x: tensor<6xf32>) -> tensor<?x3xf32> {
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %arg0 : (tensor<6xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: stablehlo.convert %[[R]] : (tensor<2x3xf32>) -> tensor<?x3xf32>
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<2xi32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// An unknown number of elements may not fit the shape.
// CHECK-LABEL: @keeps_reshape_of_unknown_size
func.func @keeps_reshape_of_unknown_size(%x: tensor<?xf32> {test.shape = array<i64: 6>}) -> tensor<?x3xf32> {
  // CHECK: stablehlo.dynamic_reshape
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// CHECK-LABEL: @dynamic_reshape_of_dynamic_reshape
func.func @dynamic_reshape_of_dynamic_reshape(%x: tensor<?xf32> {test.shape = array<i64: 6>}, %s: tensor<2xi32> {test.value = dense<[2, 3]> : tensor<2xi32>}, %t: tensor<2xi32> {test.value = dense<[6, 1]> : tensor<2xi32>}) -> tensor<?x?xf32> {
  // CHECK-NEXT: stablehlo.dynamic_reshape %arg0, %arg2
  // CHECK-NEXT: return
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.dynamic_reshape %0, %t : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// CHECK-LABEL: @dynamic_reshape_to_shape_kept
func.func @dynamic_reshape_to_shape_kept(%x: tensor<?xf32> {test.shape = array<i64: 6>}, %s: tensor<2xi32> {test.value = dense<[2, 3]> : tensor<2xi32>}) -> tensor<?x?xf32> {
  // CHECK-NEXT: %[[R:.*]] = stablehlo.dynamic_reshape %arg0, %arg1
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate %[[R]]
  // CHECK-NEXT: return %[[N]]
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.negate %0 : tensor<?x?xf32>
  %2 = stablehlo.dynamic_reshape %1, %s : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// CHECK-LABEL: @dynamic_reshape_to_shape_kept_by_clamp
func.func @dynamic_reshape_to_shape_kept_by_clamp(%x: tensor<?xf32> {test.shape = array<i64: 6>}, %s: tensor<2xi32> {test.value = dense<[2, 3]> : tensor<2xi32>}, %low: tensor<f32>, %high: tensor<f32>) -> tensor<?x?xf32> {
  // CHECK-NEXT: %[[R:.*]] = stablehlo.dynamic_reshape %arg0, %arg1
  // CHECK-NEXT: %[[V:.*]] = stablehlo.clamp {{.*}}%[[R]]
  // CHECK-NEXT: return %[[V]]
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.clamp %low, %0, %high : (tensor<f32>, tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  %2 = stablehlo.dynamic_reshape %1, %s : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// CHECK-LABEL: @dynamic_reshape_to_shape_kept_by_select
func.func @dynamic_reshape_to_shape_kept_by_select(%x: tensor<?xf32> {test.shape = array<i64: 6>}, %s: tensor<2xi32> {test.value = dense<[2, 3]> : tensor<2xi32>}, %which: tensor<i1>, %y: tensor<?x?xf32> {test.shape = array<i64: 2, 3>}) -> tensor<?x?xf32> {
  // CHECK-NEXT: %[[R:.*]] = stablehlo.dynamic_reshape %arg0, %arg1
  // CHECK-NEXT: %[[V:.*]] = stablehlo.select {{.*}}%[[R]]
  // CHECK-NEXT: return %[[V]]
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.select %which, %0, %y : tensor<i1>, tensor<?x?xf32>
  %2 = stablehlo.dynamic_reshape %1, %s : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// CHECK-LABEL: @dynamic_reshape_to_shape_kept_by_reduce_precision
func.func @dynamic_reshape_to_shape_kept_by_reduce_precision(%x: tensor<?xf32> {test.shape = array<i64: 6>}, %s: tensor<2xi32> {test.value = dense<[2, 3]> : tensor<2xi32>}) -> tensor<?x?xf32> {
  // CHECK-NEXT: %[[R:.*]] = stablehlo.dynamic_reshape %arg0, %arg1
  // CHECK-NEXT: %[[V:.*]] = stablehlo.reduce_precision {{.*}}%[[R]]
  // CHECK-NEXT: return %[[V]]
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.reduce_precision %0, format = e5m2 : tensor<?x?xf32>
  %2 = stablehlo.dynamic_reshape %1, %s : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// CHECK-LABEL: @dynamic_reshape_to_shape_kept_by_reverse
func.func @dynamic_reshape_to_shape_kept_by_reverse(%x: tensor<?xf32> {test.shape = array<i64: 6>}, %s: tensor<2xi32> {test.value = dense<[2, 3]> : tensor<2xi32>}) -> tensor<?x?xf32> {
  // CHECK-NEXT: %[[R:.*]] = stablehlo.dynamic_reshape %arg0, %arg1
  // CHECK-NEXT: %[[V:.*]] = stablehlo.reverse {{.*}}%[[R]]
  // CHECK-NEXT: return %[[V]]
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.reverse %0, dims = [1] : tensor<?x?xf32>
  %2 = stablehlo.dynamic_reshape %1, %s : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// CHECK-LABEL: @shape_of_dynamic_reshape
func.func @shape_of_dynamic_reshape(%x: tensor<?xf32>, %s: tensor<2xindex>) -> tensor<2xindex> {
  // CHECK-NEXT: return %arg1
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %1 = shape.shape_of %0 : tensor<?x?xf32> -> tensor<2xindex>
  return %1 : tensor<2xindex>
}

// CHECK-LABEL: @shape_of_static
func.func @shape_of_static(%x: tensor<2x3xf32>) -> tensor<2xindex> {
  // CHECK-NEXT: shape.const_shape [2, 3] : tensor<2xindex>
  %0 = shape.shape_of %x : tensor<2x3xf32> -> tensor<2xindex>
  return %0 : tensor<2xindex>
}

// CHECK-LABEL: @index_cast_of_constant
func.func @index_cast_of_constant() -> (tensor<2xi64>, tensor<2xindex>) {
  // CHECK-DAG: %[[A:.*]] = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  // CHECK-DAG: %[[B:.*]] = arith.constant dense<[4, -5]> : tensor<2xindex>
  // CHECK: return %[[A]], %[[B]]
  %s = shape.const_shape [2, 3] : tensor<2xindex>
  %0 = arith.index_cast %s : tensor<2xindex> to tensor<2xi64>
  %n = stablehlo.constant dense<[4, -5]> : tensor<2xi32>
  %1 = arith.index_cast %n : tensor<2xi32> to tensor<2xindex>
  return %0, %1 : tensor<2xi64>, tensor<2xindex>
}

// CHECK-LABEL: @keeps_index_cast_that_wraps
func.func @keeps_index_cast_that_wraps() -> tensor<1xi8> {
  // CHECK: arith.index_cast
  %s = shape.const_shape [300] : tensor<1xindex>
  %0 = arith.index_cast %s : tensor<1xindex> to tensor<1xi8>
  return %0 : tensor<1xi8>
}

// CHECK-LABEL: @dynamic_iota_is_static
func.func @dynamic_iota_is_static(%s: tensor<1xi32> {test.value = dense<5> : tensor<1xi32>}) -> (tensor<5xi32>, tensor<?xf32>) {
  // CHECK-DAG: %[[A:.*]] = stablehlo.iota dim = 0 : tensor<5xi32>
  // CHECK-DAG: %[[B:.*]] = stablehlo.iota dim = 0 : tensor<4xf32>
  // CHECK: stablehlo.convert %[[B]] : (tensor<4xf32>) -> tensor<?xf32>
  // FOLD: stablehlo.iota dim = 0 : tensor<5xi32>
  %four = stablehlo.constant dense<4> : tensor<1xi32>
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<5xi32>
  %1 = stablehlo.dynamic_iota %four, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %0, %1 : tensor<5xi32>, tensor<?xf32>
}

// CHECK-LABEL: @dynamic_iota_is_broadcast
func.func @dynamic_iota_is_broadcast(%s: tensor<2xi32> {test.value = dense<[2, 3]> : tensor<2xi32>}) -> tensor<?x?xf32> {
  // CHECK-NEXT: %[[WIDE:.*]] = stablehlo.convert %arg0 : (tensor<2xi32>) -> tensor<2xi64>
  // CHECK-NEXT: %[[SIZE:.*]] = stablehlo.slice %[[WIDE]] [1:2]
  // CHECK-NEXT: %[[LINE:.*]] = stablehlo.dynamic_iota %[[SIZE]], dim = 0 : (tensor<1xi64>) -> tensor<?xf32>
  // CHECK-NEXT: stablehlo.dynamic_broadcast_in_dim %[[LINE]], %arg0, dims = [1]
  %0 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: @dynamic_broadcast_is_static
func.func @dynamic_broadcast_is_static(%x: tensor<3xf32>, %s: tensor<2xi32> {test.value = dense<[2, 3]> : tensor<2xi32>}) -> (tensor<2x3xf32>, tensor<?x3xf32>) {
  // CHECK-DAG: %[[A:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK-DAG: %[[B:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
  // CHECK: stablehlo.convert %[[B]]
  // FOLD: stablehlo.broadcast_in_dim
  %t = stablehlo.constant dense<[4, 3]> : tensor<2xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : (tensor<3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %x, %t, dims = [1] : (tensor<3xf32>, tensor<2xi32>) -> tensor<?x3xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<?x3xf32>
}

// CHECK-LABEL: @dynamic_broadcast_of_dynamic_broadcast
func.func @dynamic_broadcast_of_dynamic_broadcast(%x: tensor<?xf32> {test.shape = array<i64: 3>}, %s: tensor<2xi32> {test.value = dense<[3, 2]> : tensor<2xi32>}, %t: tensor<3xi32> {test.value = dense<[4, 2, 3]> : tensor<3xi32>}) -> tensor<?x?x?xf32> {
  // CHECK-NEXT: stablehlo.dynamic_broadcast_in_dim %arg0, %arg2, dims = [2]
  // CHECK-NEXT: return
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %0, %t, dims = [2, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  return %1 : tensor<?x?x?xf32>
}

// CHECK-LABEL: @dynamic_broadcast_expands_nothing
func.func @dynamic_broadcast_expands_nothing(%x: tensor<?xf32> {test.shape = array<i64: 3>}, %s: tensor<1xi32> {test.value = dense<3> : tensor<1xi32>}) -> tensor<?xf32> {
  // CHECK-NEXT: return %arg0
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%x, %s) <{broadcast_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 0>}> : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: @dynamic_broadcast_to_reshaped_shape
func.func @dynamic_broadcast_to_reshaped_shape(%x: tensor<?xf32> {test.shape = array<i64: 6>}, %s: tensor<2xi32> {test.value = dense<[2, 3]> : tensor<2xi32>}) -> tensor<?x?xf32> {
  // CHECK-NEXT: stablehlo.dynamic_reshape %arg0, %arg1
  // CHECK-NEXT: return
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %0, %s, dims = [0, 1] : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// CHECK-LABEL: @dynamic_broadcast_to_own_shape
func.func @dynamic_broadcast_to_own_shape(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // CHECK-NEXT: return %arg0
  %0 = shape.shape_of %x : tensor<?x?xf32> -> tensor<2xindex>
  %1 = stablehlo.dynamic_broadcast_in_dim %x, %0, dims = [0, 1] : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// CHECK-LABEL: @dynamic_gather_is_static
func.func @dynamic_gather_is_static(%x: tensor<5x4xf32>, %i: tensor<3x1xi32>) -> tensor<3x2xf32> {
  // CHECK: "stablehlo.gather"(%arg0, %arg1) <{{.*}}slice_sizes = array<i64: 1, 2>
  // FOLD: "stablehlo.gather"
  %sizes = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %sizes) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>
  }> : (tensor<5x4xf32>, tensor<3x1xi32>, tensor<2xi32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// CHECK-LABEL: @dynamic_pad_is_static
func.func @dynamic_pad_is_static(%x: tensor<3xf32>, %v: tensor<f32>) -> tensor<?xf32> {
  // CHECK-NEXT: %[[P:.*]] = stablehlo.pad %arg0, %arg1, low = [1], high = [2], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<8xf32>
  // CHECK-NEXT: stablehlo.convert %[[P]]
  // FOLD: stablehlo.pad
  %low = stablehlo.constant dense<1> : tensor<1xi32>
  %high = stablehlo.constant dense<2> : tensor<1xi32>
  %0 = stablehlo.dynamic_pad %x, %v, %low, %high, %low : (tensor<3xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: @dynamic_conv_is_static
func.func @dynamic_conv_is_static(%x: tensor<1x4x4x1xf32>, %k: tensor<3x3x1x1xf32>) -> tensor<1x4x4x1xf32> {
  // CHECK-NEXT: stablehlo.convolution(%arg0, %arg1) {{.*}}pad = {{\[\[}}1, 1], [1, 1]]
  // FOLD: stablehlo.convolution
  %p = stablehlo.constant dense<1> : tensor<2x2xi32>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{
    batch_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64
  }> : (tensor<1x4x4x1xf32>, tensor<3x3x1x1xf32>, tensor<2x2xi32>) -> tensor<1x4x4x1xf32>
  return %0 : tensor<1x4x4x1xf32>
}

// CHECK-LABEL: @real_dynamic_slice_is_slice
func.func @real_dynamic_slice_is_slice(%x: tensor<9xf32>) -> tensor<?xf32> {
  // CHECK-NEXT: %[[S:.*]] = stablehlo.slice %arg0 [1:8:3] : (tensor<9xf32>) -> tensor<3xf32>
  // CHECK-NEXT: stablehlo.convert %[[S]]
  // FOLD: stablehlo.slice
  %start = stablehlo.constant dense<1> : tensor<1xi32>
  %limit = stablehlo.constant dense<8> : tensor<1xi32>
  %strides = stablehlo.constant dense<3> : tensor<1xi32>
  %0 = stablehlo.real_dynamic_slice %x, %start, %limit, %strides : (tensor<9xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: @real_dynamic_slice_is_dynamic_slice
func.func @real_dynamic_slice_is_dynamic_slice(%x: tensor<?x9xf32> {test.shape = array<i64: 4, 9>}, %s: tensor<2xi32> {test.value = dense<[1, 2]> : tensor<2xi32>}) -> tensor<2x3xf32> {
  // CHECK: stablehlo.dynamic_slice %arg0, %{{.*}}, %{{.*}}, sizes = [2, 3]
  %sizes = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %limit = stablehlo.add %s, %sizes : tensor<2xi32>
  %strides = stablehlo.constant dense<1> : tensor<2xi32>
  %0 = stablehlo.real_dynamic_slice %x, %s, %limit, %strides : (tensor<?x9xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
