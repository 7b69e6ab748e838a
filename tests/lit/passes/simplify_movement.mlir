// RUN: stablehlo-opt --stablehlo-aggressive-simplification=optimize-float=false %s | FileCheck %s

// Each function is named after the pattern that it wants to see, or begins with `keeps_` where nothing may change.

// CHECK-LABEL: @broadcast_of_nothing
func.func @broadcast_of_nothing(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: return %arg0
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @keeps_broadcast
func.func @keeps_broadcast(%x: tensor<1x3xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: stablehlo.broadcast_in_dim %arg0, dims = [0, 1]
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @broadcast_of_broadcast
func.func @broadcast_of_broadcast(%x: tensor<3xf32>) -> tensor<4x2x3xf32> {
  // CHECK-NEXT: stablehlo.broadcast_in_dim %arg0, dims = [2] {mhlo.sharding = "{replicated}"}
  // CHECK-NEXT: return
  %0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [2, 1] {mhlo.sharding = "{replicated}"} : (tensor<3x2xf32>) -> tensor<4x2x3xf32>
  return %1 : tensor<4x2x3xf32>
}

// CHECK-LABEL: @broadcast_is_reshape
func.func @broadcast_is_reshape(%x: tensor<2x3xf32>) -> tensor<2x1x3xf32> {
  // CHECK-NEXT: stablehlo.reshape %arg0 : (tensor<2x3xf32>) -> tensor<2x1x3xf32>
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x1x3xf32>
  return %0 : tensor<2x1x3xf32>
}

// CHECK-LABEL: @broadcast_is_transpose
func.func @broadcast_is_transpose(%x: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  // CHECK-NEXT: stablehlo.transpose %arg0, dims = [2, 0, 1]
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  return %0 : tensor<4x2x3xf32>
}

// A tensor without elements can become another one without elements by a broadcast, never by a transposition.
// CHECK-LABEL: @keeps_broadcast_of_empty
func.func @keeps_broadcast_of_empty(%x: tensor<?x0xf32>, %shape: tensor<2xi32>) -> tensor<0x5xf32> {
  // CHECK: stablehlo.constant dense<> : tensor<0x5xf32>
  %0 = stablehlo.constant dense<> : tensor<1x0xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1, 0] : (tensor<1x0xf32>) -> tensor<0x5xf32>
  return %1 : tensor<0x5xf32>
}

// CHECK-LABEL: @reshape_to_same_shape
func.func @reshape_to_same_shape(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: return %arg0
  %0 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @reshape_of_reshape
func.func @reshape_of_reshape(%x: tensor<2x6xf32>) -> tensor<4x3xf32> {
  // CHECK-NEXT: stablehlo.reshape %arg0 : (tensor<2x6xf32>) -> tensor<4x3xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.reshape %x : (tensor<2x6xf32>) -> tensor<12xf32>
  %1 = stablehlo.reshape %0 : (tensor<12xf32>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// CHECK-LABEL: @rearranged_broadcast_of_scalar
func.func @rearranged_broadcast_of_scalar(%x: tensor<f32>) -> (tensor<12xf32>, tensor<2x3xf32>, tensor<4x3xf32>, tensor<3x4xf32>) {
  // CHECK-NEXT: stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
  // CHECK-NEXT: stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<12xf32>
  // CHECK-NEXT: stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  // CHECK-NEXT: stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
  // CHECK-NEXT: stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
  // CHECK-NEXT: stablehlo.negate
  %0 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
  %1 = stablehlo.reshape %0 : (tensor<3x4xf32>) -> tensor<12xf32>
  %2 = stablehlo.slice %0 [0:2, 0:3] : (tensor<3x4xf32>) -> tensor<2x3xf32>
  %3 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
  %4 = stablehlo.reverse %0, dims = [1] : tensor<3x4xf32>
  %5 = stablehlo.negate %0 : tensor<3x4xf32>
  %6 = stablehlo.add %4, %5 : tensor<3x4xf32>
  return %1, %2, %3, %6 : tensor<12xf32>, tensor<2x3xf32>, tensor<4x3xf32>, tensor<3x4xf32>
}

// CHECK-LABEL: @transpose_in_order
func.func @transpose_in_order(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: return %arg0
  %0 = stablehlo.transpose %x, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @transpose_of_transpose
func.func @transpose_of_transpose(%x: tensor<2x3x4xf32>) -> tensor<3x4x2xf32> {
  // CHECK-NEXT: stablehlo.transpose %arg0, dims = [1, 2, 0]
  // CHECK-NEXT: return
  %0 = stablehlo.transpose %x, dims = [2, 1, 0] : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<4x3x2xf32>) -> tensor<3x4x2xf32>
  return %1 : tensor<3x4x2xf32>
}

// CHECK-LABEL: @transpose_of_broadcast
func.func @transpose_of_broadcast(%x: tensor<2x3xf32>) -> tensor<3x4x2xf32> {
  // CHECK-NEXT: stablehlo.broadcast_in_dim %arg0, dims = [2, 0] : (tensor<2x3xf32>) -> tensor<3x4x2xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<2x3xf32>) -> tensor<4x2x3xf32>
  %1 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<4x2x3xf32>) -> tensor<3x4x2xf32>
  return %1 : tensor<3x4x2xf32>
}

// CHECK-LABEL: @transpose_is_reshape
func.func @transpose_is_reshape(%x: tensor<1x3x1x2xf32>) -> tensor<3x2x1x1xf32> {
  // CHECK-NEXT: stablehlo.reshape %arg0
  %0 = stablehlo.transpose %x, dims = [1, 3, 2, 0] : (tensor<1x3x1x2xf32>) -> tensor<3x2x1x1xf32>
  return %0 : tensor<3x2x1x1xf32>
}

// CHECK-LABEL: @keeps_transpose
func.func @keeps_transpose(%x: tensor<3x1x2xf32>) -> tensor<2x3x1xf32> {
  // CHECK-NEXT: stablehlo.transpose %arg0, dims = [2, 0, 1]
  %0 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<3x1x2xf32>) -> tensor<2x3x1xf32>
  return %0 : tensor<2x3x1xf32>
}

// CHECK-LABEL: @reverse_nothing
func.func @reverse_nothing(%x: tensor<1x3xf32>) -> (tensor<1x3xf32>, tensor<1x3xf32>, tensor<4xi32>) {
  // CHECK: %[[C:.*]] = stablehlo.constant dense<7> : tensor<4xi32>
  %c = stablehlo.constant dense<7> : tensor<4xi32>
  %0 = stablehlo.reverse %x, dims = [] : tensor<1x3xf32>
  %1 = stablehlo.reverse %x, dims = [0] : tensor<1x3xf32>
  %2 = stablehlo.reverse %c, dims = [0] : tensor<4xi32>
  // CHECK-NEXT: return %arg0, %arg0, %[[C]]
  return %0, %1, %2 : tensor<1x3xf32>, tensor<1x3xf32>, tensor<4xi32>
}

// CHECK-LABEL: @reverse_of_reverse
func.func @reverse_of_reverse(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reverse %arg0, dims = [0]
  // CHECK-NEXT: return %arg0, %[[R]]
  %0 = stablehlo.reverse %x, dims = [1] : tensor<2x3xf32>
  %1 = stablehlo.reverse %0, dims = [1] : tensor<2x3xf32>
  %2 = stablehlo.reverse %0, dims = [0, 1] : tensor<2x3xf32>
  return %1, %2 : tensor<2x3xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: @iota_of_one
func.func @iota_of_one() -> tensor<1x3xui16> {
  // CHECK-NEXT: stablehlo.constant dense<0> : tensor<1x3xui16>
  %0 = stablehlo.iota dim = 0 : tensor<1x3xui16>
  return %0 : tensor<1x3xui16>
}

// CHECK-LABEL: @iota_is_broadcast
func.func @iota_is_broadcast() -> tensor<2x3xf32> {
  // CHECK-NEXT: %[[LINE:.*]] = stablehlo.iota dim = 0 : tensor<3xf32>
  // CHECK-NEXT: stablehlo.broadcast_in_dim %[[LINE]], dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %0 = stablehlo.iota dim = 1 : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
