// Along a dimension that is cut, devices send each other the ends of their parts, or the pieces that a result takes.
// REQUIRES: partition
// RUN: split-file %s %t
// RUN: stablehlo partition %t/window.mlir | FileCheck %s --check-prefix=WINDOW
// RUN: stablehlo partition %t/convolution.mlir | FileCheck %s --check-prefix=CONVOLUTION
// RUN: stablehlo partition %t/slice.mlir | FileCheck %s --check-prefix=SLICE
// RUN: stablehlo partition %t/pad.mlir | FileCheck %s --check-prefix=PAD
// RUN: stablehlo partition %t/reverse.mlir | FileCheck %s --check-prefix=REVERSE
// RUN: stablehlo partition %t/concatenate.mlir | FileCheck %s --check-prefix=CONCATENATE
// RUN: stablehlo partition %t/scatter.mlir | FileCheck %s --check-prefix=SCATTER
// RUN: stablehlo partition %t/uneven.mlir | FileCheck %s --check-prefix=UNEVEN
// RUN: stablehlo simulate %t/window.mlir --check | FileCheck %s --check-prefix=SAME
// RUN: stablehlo simulate %t/convolution.mlir --check | FileCheck %s --check-prefix=SAME
// RUN: stablehlo simulate %t/slice.mlir --check | FileCheck %s --check-prefix=SAME
// RUN: stablehlo simulate %t/pad.mlir --check | FileCheck %s --check-prefix=SAME
// RUN: stablehlo simulate %t/reverse.mlir --check | FileCheck %s --check-prefix=SAME
// RUN: stablehlo simulate %t/concatenate.mlir --check | FileCheck %s --check-prefix=SAME
// RUN: stablehlo simulate %t/scatter.mlir --check | FileCheck %s --check-prefix=SAME

// SAME: 4 devices agrees with the global program

// The initial value is outside of the rows: device 0 keeps it before its rows, device 3 behind them.
// WINDOW: %{{.*}} = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<7x2xf32>
// WINDOW: %[[LAST:.*]] = stablehlo.slice %arg0 [3:4, 0:2]
// WINDOW-NEXT: "stablehlo.collective_permute"(%[[LAST]]) {{.*}}source_target_pairs = dense<{{\[\[}}0, 1], [1, 2], [2, 3]]>
// WINDOW: dynamic_update_slice %{{.*}}, %arg0
// WINDOW: %[[FIRST:.*]] = stablehlo.slice %arg0 [0:1, 0:2]
// WINDOW-NEXT: "stablehlo.collective_permute"(%[[FIRST]]) {{.*}}source_target_pairs = dense<{{\[\[}}1, 0], [2, 1], [3, 2]]>
// WINDOW: %[[ROWS:.*]] = stablehlo.slice %{{.*}} [1:7, 0:2]
// WINDOW: "stablehlo.reduce_window"(%[[ROWS]], %arg1)
// WINDOW-SAME: padding = dense<0>
// WINDOW: (tensor<6x2xf32>, tensor<f32>) -> tensor<4x2xf32>

// Both spatial dimensions are cut: the second exchange sends the rows of the first as well.
// CONVOLUTION-COUNT-4: stablehlo.collective_permute
// CONVOLUTION: stablehlo.convolution(%{{.*}}, %arg1)
// CONVOLUTION-SAME: pad = {{\[\[}}0, 0], [0, 0]]
// CONVOLUTION-SAME: (tensor<1x10x10x2xf32>, tensor<3x3x2x2xf32>) -> tensor<1x8x8x2xf32>

// SLICE-COUNT-2: stablehlo.collective_permute
// SLICE: stablehlo.slice %{{.*}} [0:2, 0:2] : (tensor<2x2xf32>) -> tensor<2x2xf32>

// PAD-COUNT-2: stablehlo.collective_permute
// PAD: stablehlo.pad %{{.*}}, %arg1, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<5x2xf32>, tensor<f32>)

// REVERSE: %[[OTHER:.*]] = "stablehlo.collective_permute"(%arg0) {{.*}}dense<{{\[\[}}0, 3], [1, 2], [2, 1], [3, 0]]>
// REVERSE-NEXT: stablehlo.reverse %[[OTHER]], dims = [0] : tensor<4x2xf32>

// CONCATENATE-NOT: all_gather
// CONCATENATE: stablehlo.concatenate %{{[0-9]+}}, dim = 0 : (tensor<8x2xf32>) -> tensor<8x2xf32>

// SCATTER-NOT: collective
// SCATTER: (tensor<4x2xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x2xf32>

// Fifteen rows are padded to sixteen, which are gathered.
// UNEVEN: all_gather

//--- window.mlir
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<16x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %z: tensor<f32>) -> tensor<16x2xf32> {
  %0 = "stablehlo.reduce_window"(%a, %z) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 3, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<16x2xf32>, tensor<f32>) -> tensor<16x2xf32>
  return %0 : tensor<16x2xf32>
}
//--- convolution.mlir
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<1x16x16x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}, {}]>}, %k: tensor<3x3x2x2xf32>) -> tensor<1x16x16x2xf32> {
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x16x16x2xf32>, tensor<3x3x2x2xf32>) -> tensor<1x16x16x2xf32>
  return %0 : tensor<1x16x16x2xf32>
}
//--- slice.mlir
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<16x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x2xf32> {
  %0 = stablehlo.slice %a [4:12, 0:2] : (tensor<16x2xf32>) -> tensor<8x2xf32>
  return %0 : tensor<8x2xf32>
}
//--- pad.mlir
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<16x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %z: tensor<f32>) -> tensor<20x2xf32> {
  %0 = stablehlo.pad %a, %z, low = [2, 0], high = [2, 0], interior = [0, 0] : (tensor<16x2xf32>, tensor<f32>) -> tensor<20x2xf32>
  return %0 : tensor<20x2xf32>
}
//--- reverse.mlir
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<16x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<16x2xf32> {
  %0 = stablehlo.reverse %a, dims = [0] : tensor<16x2xf32>
  return %0 : tensor<16x2xf32>
}
//--- concatenate.mlir
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<16x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<32x2xf32> {
  %0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<32x2xf32>
  return %0 : tensor<32x2xf32>
}
//--- scatter.mlir
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<16x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %z: tensor<f32>) -> tensor<16x2xf32> {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %z) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>} : (tensor<16x2xf32>, tensor<8x2xf32>, tensor<f32>) -> tensor<16x2xf32>
  return %0 : tensor<16x2xf32>
}
//--- uneven.mlir
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<15x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<15x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.reverse %a, dims = [0] : tensor<15x2xf32>
  return %0 : tensor<15x2xf32>
}
