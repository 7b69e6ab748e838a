module @jit_moving_window attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<9x4xf32>, %arg1: tensor<i32>) -> (tensor<4x4xf32> {jax.result_info = "result[0]"}, tensor<4x4xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<11> : tensor<i32>
    %cst_1 = stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 1.000000e+00]> : tensor<3xf32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = call @_pad(%arg0, %c_2) : (tensor<9x4xf32>, tensor<i32>) -> tensor<11x4xf32>
    %1 = stablehlo.compare LT, %arg1, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = stablehlo.add %arg1, %c : tensor<i32>
    %3 = stablehlo.select %1, %2, %arg1 : tensor<i1>, tensor<i32>
    %4 = stablehlo.dynamic_slice %0, %3, %c_2, sizes = [6, 4] : (tensor<11x4xf32>, tensor<i32>, tensor<i32>) -> tensor<6x4xf32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %6 = stablehlo.divide %cst_1, %5 : tensor<3xf32>
    %7 = stablehlo.slice %6 [0:1] : (tensor<3xf32>) -> tensor<1xf32>
    %8 = stablehlo.reshape %7 : (tensor<1xf32>) -> tensor<f32>
    %9 = stablehlo.slice %4 [0:4, 0:4] : (tensor<6x4xf32>) -> tensor<4x4xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %11 = stablehlo.multiply %10, %9 : tensor<4x4xf32>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %13 = stablehlo.add %12, %11 : tensor<4x4xf32>
    %14 = stablehlo.slice %6 [1:2] : (tensor<3xf32>) -> tensor<1xf32>
    %15 = stablehlo.reshape %14 : (tensor<1xf32>) -> tensor<f32>
    %16 = stablehlo.slice %4 [1:5, 0:4] : (tensor<6x4xf32>) -> tensor<4x4xf32>
    %17 = stablehlo.broadcast_in_dim %15, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %18 = stablehlo.multiply %17, %16 : tensor<4x4xf32>
    %19 = stablehlo.add %13, %18 : tensor<4x4xf32>
    %20 = stablehlo.slice %6 [2:3] : (tensor<3xf32>) -> tensor<1xf32>
    %21 = stablehlo.reshape %20 : (tensor<1xf32>) -> tensor<f32>
    %22 = stablehlo.slice %4 [2:6, 0:4] : (tensor<6x4xf32>) -> tensor<4x4xf32>
    %23 = stablehlo.broadcast_in_dim %21, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %24 = stablehlo.multiply %23, %22 : tensor<4x4xf32>
    %25 = stablehlo.add %19, %24 : tensor<4x4xf32>
    %26 = call @cumsum(%25) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %27 = stablehlo.reverse %25, dims = [0] : tensor<4x4xf32>
    %28 = stablehlo.concatenate %25, %27, dim = 0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
    %29 = stablehlo.slice %28 [2:6, 0:4] : (tensor<8x4xf32>) -> tensor<4x4xf32>
    return %26, %29 : tensor<4x4xf32>, tensor<4x4xf32>
  }
  func.func private @_pad(%arg0: tensor<9x4xf32>, %arg1: tensor<i32>) -> tensor<11x4xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [1, 0], high = [1, 0], interior = [0, 0] : (tensor<9x4xf32>, tensor<f32>) -> tensor<11x4xf32>
    return %1 : tensor<11x4xf32>
  }
  func.func private @cumsum(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{padding = dense<[[3, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 4, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    return %1 : tensor<4x4xf32>
  }
}
