module @jit_convolution_network attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x6x6x1xf32>, %arg1: tensor<3x3x1x2xf32>, %arg2: tensor<18x5xf32>) -> (tensor<2x5xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x6x1xf32>, tensor<3x3x1x2xf32>) -> tensor<2x6x6x2xf32>
    %1 = call @relu(%0) : (tensor<2x6x6x2xf32>) -> tensor<2x6x6x2xf32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %3 = "stablehlo.reduce_window"(%1, %2) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %6 = stablehlo.maximum %arg3, %arg4 : tensor<f32>
      stablehlo.return %6 : tensor<f32>
    }) : (tensor<2x6x6x2xf32>, tensor<f32>) -> tensor<2x3x3x2xf32>
    %4 = stablehlo.reshape %3 : (tensor<2x3x3x2xf32>) -> tensor<2x18xf32>
    %5 = stablehlo.dot_general %4, %arg2, contracting_dims = [1] x [0] : (tensor<2x18xf32>, tensor<18x5xf32>) -> tensor<2x5xf32>
    return %5 : tensor<2x5xf32>
  }
  func.func private @relu(%arg0: tensor<2x6x6x2xf32>) -> tensor<2x6x6x2xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x6x2xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x6x6x2xf32>
    return %1 : tensor<2x6x6x2xf32>
  }
}
