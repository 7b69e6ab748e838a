// What StableHLO has since 1.18.0; older bindings cannot read it.

func.func @tilings_of_results(%input: tensor<8x128xf32>) -> tensor<8x128xf32> {
  %result = "stablehlo.custom_call"(%input) <{call_target_name = "house", operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>], result_tilings = [[dense<[8, 128]> : tensor<2xindex>]]}> : (tensor<8x128xf32>) -> tensor<8x128xf32>
  return %result : tensor<8x128xf32>
}

func.func @collective_reduce(%operand: tensor<4xf32>) -> tensor<4xf64> {
  %result = "stablehlo.collective_reduce"(%operand) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
  ^bb0(%lhs: tensor<f64>, %rhs: tensor<f64>):
    %sum = stablehlo.add %lhs, %rhs : tensor<f64>
    stablehlo.return %sum : tensor<f64>
  }) : (tensor<4xf32>) -> tensor<4xf64>
  return %result : tensor<4xf64>
}

func.func @collective_reduce_to_roots(%first: tensor<4xf32>, %second: tensor<f32>, %roots: tensor<2xi32>) -> (tensor<4xf32>, tensor<f32>) {
  %results:2 = "stablehlo.collective_reduce"(%first, %second, %roots) <{has_dynamic_root, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({
  ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
    %largest = stablehlo.maximum %lhs, %rhs : tensor<f32>
    stablehlo.return %largest : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>, tensor<2xi32>) -> (tensor<4xf32>, tensor<f32>)
  return %results#0, %results#1 : tensor<4xf32>, tensor<f32>
}

func.func @collective_broadcast_of_several(%first: tensor<4xf32>, %second: tensor<i32>) -> (tensor<4xf32>, tensor<i32>) {
  %results:2 = "stablehlo.collective_broadcast"(%first, %second) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>, tensor<i32>) -> (tensor<4xf32>, tensor<i32>)
  return %results#0, %results#1 : tensor<4xf32>, tensor<i32>
}

func.func @collective_broadcast_from_a_root(%operand: tensor<4xf32>, %root: tensor<1xi32>) -> tensor<4xf32> {
  %result = "stablehlo.collective_broadcast"(%operand, %root) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 0>, has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>
  return %result : tensor<4xf32>
}
