// RUN: stablehlo-opt --stablehlo-aggressive-simplification=optimize-float=false %s | FileCheck %s

// Each function is named after the pattern that it wants to see, or begins with `keeps_` where nothing may change.

// CHECK-LABEL: @slice_of_everything
func.func @slice_of_everything(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: return %arg0
  %0 = stablehlo.slice %x [0:2, 0:3] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @slice_of_slice
func.func @slice_of_slice(%x: tensor<20xf32>) -> tensor<3xf32> {
  // CHECK-NEXT: stablehlo.slice %arg0 [5:18:6] : (tensor<20xf32>) -> tensor<3xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.slice %x [2:20:3] : (tensor<20xf32>) -> tensor<6xf32>
  %1 = stablehlo.slice %0 [1:6:2] : (tensor<6xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// CHECK-LABEL: @slice_of_concatenate
func.func @slice_of_concatenate(%x: tensor<3xf32>, %y: tensor<4xf32>, %z: tensor<5xf32>) -> tensor<2xf32> {
  // CHECK-NEXT: stablehlo.slice %arg1 [1:3] : (tensor<4xf32>) -> tensor<2xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.concatenate %x, %y, %z, dim = 0 : (tensor<3xf32>, tensor<4xf32>, tensor<5xf32>) -> tensor<12xf32>
  %1 = stablehlo.slice %0 [4:6] : (tensor<12xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: @slice_of_concatenate_of_several
func.func @slice_of_concatenate_of_several(%x: tensor<3xf32>, %y: tensor<4xf32>, %z: tensor<5xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.concatenate %arg1, %arg2, dim = 0
  // CHECK-NEXT: stablehlo.slice %[[C]] [1:8:2] : (tensor<9xf32>) -> tensor<4xf32>
  %0 = stablehlo.concatenate %x, %y, %z, dim = 0 : (tensor<3xf32>, tensor<4xf32>, tensor<5xf32>) -> tensor<12xf32>
  %1 = stablehlo.slice %0 [4:11:2] : (tensor<12xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @concatenate_one
func.func @concatenate_one(%x: tensor<3xf32>) -> tensor<3xf32> {
  // CHECK-NEXT: return %arg0
  %0 = stablehlo.concatenate %x, dim = 0 : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: @concatenate_with_empty
func.func @concatenate_with_empty(%x: tensor<2x3xf32>, %e: tensor<0x3xf32>) -> tensor<4x3xf32> {
  // CHECK-NEXT: stablehlo.concatenate %arg0, %arg0, dim = 0
  %0 = stablehlo.concatenate %x, %e, %x, dim = 0 : (tensor<2x3xf32>, tensor<0x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// CHECK-LABEL: @concatenate_of_concatenate
func.func @concatenate_of_concatenate(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: stablehlo.concatenate %arg1, %arg0, %arg1, dim = 0
  // CHECK-NEXT: return
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  %1 = stablehlo.concatenate %y, %0, dim = 0 : (tensor<3xf32>, tensor<5xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// CHECK-LABEL: @keeps_concatenate_of_shared_concatenate
func.func @keeps_concatenate_of_shared_concatenate(%x: tensor<2xf32>, %y: tensor<3xf32>) -> (tensor<5xf32>, tensor<8xf32>) {
  // CHECK: stablehlo.concatenate %arg0, %arg1
  // CHECK: stablehlo.concatenate %arg1, %0
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  %1 = stablehlo.concatenate %y, %0, dim = 0 : (tensor<3xf32>, tensor<5xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<5xf32>, tensor<8xf32>
}

// CHECK-LABEL: @pad_with_nothing
func.func @pad_with_nothing(%x: tensor<3xf32>, %v: tensor<f32>) -> tensor<3xf32> {
  // CHECK-NEXT: return %arg0
  %0 = stablehlo.pad %x, %v, low = [0], high = [0], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: @keeps_pad_that_shifts
func.func @keeps_pad_that_shifts(%x: tensor<3xf32>, %v: tensor<f32>) -> tensor<3xf32> {
  // CHECK-NEXT: stablehlo.pad
  %0 = stablehlo.pad %x, %v, low = [1], high = [-1], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: @pad_of_empty
func.func @pad_of_empty(%x: tensor<0x3xf32>, %v: tensor<f32>) -> tensor<2x5xf32> {
  // CHECK-NEXT: stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
  %0 = stablehlo.pad %x, %v, low = [1, 2], high = [1, 0], interior = [3, 0] : (tensor<0x3xf32>, tensor<f32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

// CHECK-LABEL: @pad_of_pad
func.func @pad_of_pad(%x: tensor<4xf32>, %v: tensor<f32>) -> tensor<7xf32> {
  // CHECK-NEXT: stablehlo.pad %arg0, %arg1, low = [-1], high = [4], interior = [0]
  // CHECK-NEXT: return
  %0 = stablehlo.pad %x, %v, low = [1], high = [2], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<7xf32>
  %1 = stablehlo.pad %0, %v, low = [-2], high = [2], interior = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<7xf32>
  return %1 : tensor<7xf32>
}

// The inner one cuts an element off, which the outer one replaces by padding.
// CHECK-LABEL: @keeps_pad_of_cut
func.func @keeps_pad_of_cut(%x: tensor<4xf32>, %v: tensor<f32>) -> tensor<4xf32> {
  // CHECK: stablehlo.pad
  // CHECK: stablehlo.pad
  %0 = stablehlo.pad %x, %v, low = [-1], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.pad %0, %v, low = [1], high = [0], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @dynamic_slice_of_everything
func.func @dynamic_slice_of_everything(%x: tensor<2x3xf32>, %i: tensor<i32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: return %arg0
  %0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 3] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @dynamic_slice_is_slice
func.func @dynamic_slice_is_slice(%x: tensor<6x300xf32>) -> tensor<2x3xf32> {
  // Starts are clamped; an unsigned one stays positive.
  // CHECK-NEXT: stablehlo.slice %arg0 [0:2, 200:203]
  %i = stablehlo.constant dense<-1> : tensor<i8>
  %j = stablehlo.constant dense<200> : tensor<ui8>
  %k = stablehlo.convert %j : (tensor<ui8>) -> tensor<ui8>
  %c = stablehlo.constant dense<0> : tensor<ui8>
  %0 = stablehlo.dynamic_slice %x, %c, %k, sizes = [6, 3] : (tensor<6x300xf32>, tensor<ui8>, tensor<ui8>) -> tensor<6x3xf32>
  %1 = stablehlo.dynamic_slice %0, %i, %i, sizes = [2, 3] : (tensor<6x3xf32>, tensor<i8>, tensor<i8>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// CHECK-LABEL: @update_nothing
func.func @update_nothing(%x: tensor<2x3xf32>, %u: tensor<2x0xf32>, %i: tensor<i32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: return %arg0
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %i : (tensor<2x3xf32>, tensor<2x0xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @update_everything
func.func @update_everything(%x: tensor<2x3xf32>, %u: tensor<2x3xf32>, %i: tensor<i32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: return %arg1
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %i : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @gather_is_slice
func.func @gather_is_slice(%x: tensor<5x6x7xf32>) -> tensor<2x4xf32> {
  // CHECK-NEXT: %[[S:.*]] = stablehlo.slice %arg0 [3:5, 2:3, 0:4] : (tensor<5x6x7xf32>) -> tensor<2x1x4xf32>
  // CHECK-NEXT: stablehlo.reshape %[[S]] : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
  %i = stablehlo.constant dense<[2, 9]> : tensor<2xui8>
  %0 = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [1], start_index_map = [1, 0]>,
    slice_sizes = array<i64: 2, 1, 4>
  }> : (tensor<5x6x7xf32>, tensor<2xui8>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: @keeps_gather_of_several
func.func @keeps_gather_of_several(%x: tensor<5xf32>) -> tensor<2x2xf32> {
  // CHECK: stablehlo.gather
  %i = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi32>
  %0 = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 2>
  }> : (tensor<5xf32>, tensor<2x1xi32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
