module @jit_adam_step attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<3x4xf32>, %arg3: tensor<3x4xf32>, %arg4: tensor<i32>) -> (tensor<3x4xf32> {jax.result_info = "result[0]"}, tensor<3x4xf32> {jax.result_info = "result[1]"}, tensor<3x4xf32> {jax.result_info = "result[2]"}) {
    %cst = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %cst_1 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %cst_2 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %cst_4 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %1 = stablehlo.multiply %0, %arg2 : tensor<3x4xf32>
    %2 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %3 = stablehlo.multiply %2, %arg1 : tensor<3x4xf32>
    %4 = stablehlo.add %1, %3 : tensor<3x4xf32>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %6 = stablehlo.multiply %5, %arg3 : tensor<3x4xf32>
    %7 = stablehlo.multiply %arg1, %arg1 : tensor<3x4xf32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %9 = stablehlo.multiply %8, %7 : tensor<3x4xf32>
    %10 = stablehlo.add %6, %9 : tensor<3x4xf32>
    %11 = stablehlo.add %arg4, %c : tensor<i32>
    %12 = stablehlo.convert %11 : (tensor<i32>) -> tensor<f32>
    %13 = stablehlo.power %cst_2, %12 : tensor<f32>
    %14 = stablehlo.subtract %cst_0, %13 : tensor<f32>
    %15 = stablehlo.sqrt %14 : tensor<f32>
    %16 = stablehlo.add %arg4, %c : tensor<i32>
    %17 = stablehlo.convert %16 : (tensor<i32>) -> tensor<f32>
    %18 = stablehlo.power %cst_4, %17 : tensor<f32>
    %19 = stablehlo.subtract %cst_0, %18 : tensor<f32>
    %20 = stablehlo.divide %15, %19 : tensor<f32>
    %21 = stablehlo.multiply %cst_1, %20 : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %23 = stablehlo.multiply %22, %4 : tensor<3x4xf32>
    %24 = stablehlo.sqrt %10 : tensor<3x4xf32>
    %25 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %26 = stablehlo.add %24, %25 : tensor<3x4xf32>
    %27 = stablehlo.divide %23, %26 : tensor<3x4xf32>
    %28 = stablehlo.subtract %arg0, %27 : tensor<3x4xf32>
    return %28, %4, %10 : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
  }
}
