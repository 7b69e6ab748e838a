// Moves the shardings of function edges to the arguments.
// REQUIRES: pass-sdy-sink-func-data-flow-edges
// RUN: stablehlo-opt %s --sdy-sink-func-data-flow-edges | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(sdy-sink-func-data-flow-edges))' | FileCheck %s

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %{{.*}} = call @layer(%{{.*}}) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8xf32>
// CHECK-LABEL: func.func private @layer
// CHECK-SAME: %{{.*}}: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8xf32>
sdy.mesh @mesh = <["x"=2, "y"=4]>

func.func @main(%operand: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @layer(%operand) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = sdy.func_data_flow_edge %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @layer(%operand: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.func_data_flow_edge %operand {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}
