module @jit_newton attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>) -> (tensor<4xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %c_2 = stablehlo.constant dense<30> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %1:4 = stablehlo.while(%iterArg = %arg0, %iterArg_5 = %arg0, %iterArg_6 = %c_3, %iterArg_7 = %0) : tensor<4xf32>, tensor<4xf32>, tensor<i32>, tensor<4xf32>
    cond {
      %2 = stablehlo.compare LT, %iterArg_6, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %3 = stablehlo.multiply %iterArg_7, %iterArg_7 : tensor<4xf32>
      %4 = stablehlo.subtract %3, %iterArg : tensor<4xf32>
      %5 = stablehlo.abs %4 : tensor<4xf32>
      %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %7 = stablehlo.multiply %6, %iterArg : tensor<4xf32>
      %8 = stablehlo.compare GT, %5, %7, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
      %9 = stablehlo.reduce(%8 init: %c_0) applies stablehlo.or across dimensions = [0] : (tensor<4xi1>, tensor<i1>) -> tensor<i1>
      %10 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<i1>
      %11 = stablehlo.compare NE, %2, %10, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %12 = stablehlo.convert %11 : tensor<i1>
      %13 = stablehlo.and %12, %9 : tensor<i1>
      stablehlo.return %13 : tensor<i1>
    } do {
      %2 = stablehlo.add %iterArg_6, %c : tensor<i32>
      %3 = stablehlo.divide %iterArg_5, %iterArg_7 : tensor<4xf32>
      %4 = stablehlo.add %iterArg_7, %3 : tensor<4xf32>
      %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %6 = stablehlo.multiply %5, %4 : tensor<4xf32>
      stablehlo.return %iterArg, %iterArg_5, %2, %6 : tensor<4xf32>, tensor<4xf32>, tensor<i32>, tensor<4xf32>
    }
    return %1#3 : tensor<4xf32>
  }
}
