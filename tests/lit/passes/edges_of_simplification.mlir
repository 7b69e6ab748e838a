// RUN: stablehlo-opt --stablehlo-aggressive-simplification=optimize-float=false %s | FileCheck %s

// Each function is named after the pattern that it wants to see.

// CHECK-LABEL: @compare_with_itself_in_each_direction
func.func @compare_with_itself_in_each_direction(%n: tensor<2xi32>) -> (tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>) {
  // CHECK-NEXT: %[[C0:.*]] = stablehlo.constant dense<true> : tensor<2xi1>
  // CHECK-NEXT: %[[C1:.*]] = stablehlo.constant dense<false> : tensor<2xi1>
  // CHECK-NEXT: return %[[C0]], %[[C1]], %[[C0]], %[[C1]], %[[C0]], %[[C1]]
  %0 = stablehlo.compare EQ, %n, %n : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %1 = stablehlo.compare NE, %n, %n : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %2 = stablehlo.compare GE, %n, %n : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %3 = stablehlo.compare GT, %n, %n : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %4 = stablehlo.compare LE, %n, %n : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %5 = stablehlo.compare LT, %n, %n : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  return %0, %1, %2, %3, %4, %5 : tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>
}

// CHECK-LABEL: @compare_constant_to_the_right_in_each_direction
func.func @compare_constant_to_the_right_in_each_direction(%n: tensor<2xi32>) -> (tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>) {
  // CHECK-NEXT: %[[C0:.*]] = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.compare EQ, %arg0, %[[C0]]
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.compare NE, %arg0, %[[C0]]
  // CHECK-NEXT: %[[V3:.*]] = stablehlo.compare LE, %arg0, %[[C0]]
  // CHECK-NEXT: %[[V4:.*]] = stablehlo.compare LT, %arg0, %[[C0]]
  // CHECK-NEXT: %[[V5:.*]] = stablehlo.compare GE, %arg0, %[[C0]]
  // CHECK-NEXT: %[[V6:.*]] = stablehlo.compare GT, %arg0, %[[C0]]
  // CHECK-NEXT: return %[[V1]], %[[V2]], %[[V3]], %[[V4]], %[[V5]], %[[V6]]
  %c = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %0 = stablehlo.compare EQ, %c, %n : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %1 = stablehlo.compare NE, %c, %n : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %2 = stablehlo.compare GE, %c, %n : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %3 = stablehlo.compare GT, %c, %n : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %4 = stablehlo.compare LE, %c, %n : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %5 = stablehlo.compare LT, %c, %n : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  return %0, %1, %2, %3, %4, %5 : tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>
}

// CHECK-LABEL: @slice_of_slice_along_two_dimensions
func.func @slice_of_slice_along_two_dimensions(%x: tensor<20x30xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.slice %arg0 [5:15:9, 9:26:8]
  // CHECK-NEXT: return %[[V0]]
  %0 = stablehlo.slice %x [2:20:3, 1:29:2] : (tensor<20x30xf32>) -> tensor<6x14xf32>
  %1 = stablehlo.slice %0 [1:5:3, 4:14:4] : (tensor<6x14xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// CHECK-LABEL: @slice_of_concatenate_at_its_seams
func.func @slice_of_concatenate_at_its_seams(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) -> (tensor<2x3xf32>, tensor<1x4xf32>, tensor<2x3xf32>, tensor<2x1xf32>) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.concatenate %arg0, %arg1, dim = 1
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.slice %arg1 [1:2, 0:4]
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.slice %[[V0]] [0:2, 2:5]
  // CHECK-NEXT: %[[V3:.*]] = stablehlo.slice %arg0 [0:2, 2:3]
  // CHECK-NEXT: return %arg0, %[[V1]], %[[V2]], %[[V3]]
  %0 = stablehlo.concatenate %x, %y, dim = 1 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x7xf32>
  %1 = stablehlo.slice %0 [0:2, 0:3] : (tensor<2x7xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.slice %0 [1:2, 3:7] : (tensor<2x7xf32>) -> tensor<1x4xf32>
  %3 = stablehlo.slice %0 [0:2, 2:5] : (tensor<2x7xf32>) -> tensor<2x3xf32>
  %4 = stablehlo.slice %0 [0:2, 2:3] : (tensor<2x7xf32>) -> tensor<2x1xf32>
  return %1, %2, %3, %4 : tensor<2x3xf32>, tensor<1x4xf32>, tensor<2x3xf32>, tensor<2x1xf32>
}

// CHECK-LABEL: @dynamic_slice_is_slice_at_the_bounds
func.func @dynamic_slice_is_slice_at_the_bounds(%x: tensor<5xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.slice %arg0 [2:5]
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.slice %arg0 [2:5]
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.slice %arg0 [0:3]
  // CHECK-NEXT: %[[V3:.*]] = stablehlo.slice %arg0 [1:4]
  // CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]], %[[V3]]
  %last = stablehlo.constant dense<2> : tensor<i32>
  %beyond = stablehlo.constant dense<3> : tensor<i32>
  %before = stablehlo.constant dense<-1> : tensor<i32>
  %inside = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.dynamic_slice %x, %last, sizes = [3] : (tensor<5xf32>, tensor<i32>) -> tensor<3xf32>
  %1 = stablehlo.dynamic_slice %x, %beyond, sizes = [3] : (tensor<5xf32>, tensor<i32>) -> tensor<3xf32>
  %2 = stablehlo.dynamic_slice %x, %before, sizes = [3] : (tensor<5xf32>, tensor<i32>) -> tensor<3xf32>
  %3 = stablehlo.dynamic_slice %x, %inside, sizes = [3] : (tensor<5xf32>, tensor<i32>) -> tensor<3xf32>
  return %0, %1, %2, %3 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

// CHECK-LABEL: @transpose_of_transpose_in_a_circle
func.func @transpose_of_transpose_in_a_circle(%x: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.transpose %arg0, dims = [2, 0, 1]
  // CHECK-NEXT: return %[[V0]]
  %0 = stablehlo.transpose %x, dims = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %1 = stablehlo.transpose %0, dims = [1, 2, 0] : (tensor<3x4x2xf32>) -> tensor<4x2x3xf32>
  return %1 : tensor<4x2x3xf32>
}

// CHECK-LABEL: @transpose_of_broadcast_in_a_circle
func.func @transpose_of_broadcast_in_a_circle(%x: tensor<3x5xf32>) -> tensor<5x2x3xf32> {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [2, 0]
  // CHECK-NEXT: return %[[V0]]
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<3x5xf32>) -> tensor<2x3x5xf32>
  %1 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<2x3x5xf32>) -> tensor<5x2x3xf32>
  return %1 : tensor<5x2x3xf32>
}

// CHECK-LABEL: @broadcast_is_transpose_in_a_circle
func.func @broadcast_is_transpose_in_a_circle(%x: tensor<2x3x4xf32>) -> tensor<3x4x2xf32> {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.transpose %arg0, dims = [1, 2, 0]
  // CHECK-NEXT: return %[[V0]]
  %0 = stablehlo.broadcast_in_dim %x, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  return %0 : tensor<3x4x2xf32>
}

// CHECK-LABEL: @broadcast_of_broadcast_in_a_circle
func.func @broadcast_of_broadcast_in_a_circle(%x: tensor<2x3xf32>) -> tensor<3x2x4x5xf32> {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [1, 0]
  // CHECK-NEXT: return %[[V0]]
  %0 = stablehlo.broadcast_in_dim %x, dims = [2, 0] : (tensor<2x3xf32>) -> tensor<3x4x2xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 2, 1] : (tensor<3x4x2xf32>) -> tensor<3x2x4x5xf32>
  return %1 : tensor<3x2x4x5xf32>
}

// CHECK-LABEL: @reverse_of_reverse_in_part
func.func @reverse_of_reverse_in_part(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.reverse %arg0, dims = [0, 2]
  // CHECK-NEXT: return %[[V0]]
  %0 = stablehlo.reverse %x, dims = [0, 1] : tensor<2x3x4xf32>
  %1 = stablehlo.reverse %0, dims = [2, 1] : tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}

// CHECK-LABEL: @gather_is_slice_at_the_bounds
func.func @gather_is_slice_at_the_bounds(%x: tensor<5x6xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.slice %arg0 [0:2, 0:3]
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.slice %arg0 [2:4, 3:6]
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.slice %arg0 [3:5, 3:6]
  // CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]]
  %before = stablehlo.constant dense<[-1, -7]> : tensor<2xi32>
  %last = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
  %beyond = stablehlo.constant dense<[4, 9]> : tensor<2xi32>
  %0 = "stablehlo.gather"(%x, %before) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0, 1]>, slice_sizes = array<i64: 2, 3>}> : (tensor<5x6xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  %1 = "stablehlo.gather"(%x, %last) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [1, 0]>, slice_sizes = array<i64: 2, 3>}> : (tensor<5x6xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  %2 = "stablehlo.gather"(%x, %beyond) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0, 1]>, slice_sizes = array<i64: 2, 3>}> : (tensor<5x6xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return %0, %1, %2 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}
