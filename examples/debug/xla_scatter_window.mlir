module {
  func.func @main() -> tensor<2x2xi32> {
    %c = stablehlo.constant dense<1> : tensor<2x2xi32>
    %c_0 = stablehlo.constant dense<1> : tensor<1x2xi32>
    %c_1 = stablehlo.constant dense<-1> : tensor<2x2x2xi32>
    %0 = "stablehlo.scatter"(%c, %c_0, %c_1) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [1]>}> ({
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      %1 = stablehlo.add %arg0, %arg1 : tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<2x2x2xi32>) -> tensor<2x2xi32>
    return %0 : tensor<2x2xi32>
  }
}
