// Moves the shardings of data flow edges to the values, and removes the edges.
// REQUIRES: pass-sdy-sink-data-flow-edges
// RUN: stablehlo-opt %s --sdy-sink-data-flow-edges | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(sdy-sink-data-flow-edges))' | FileCheck %s

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<8xf32>, %{{.*}}: tensor<i32>) -> tensor<8xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.while(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : tensor<i32>, tensor<8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{"x"}]>]>}
// CHECK: %{{.*}} = stablehlo.compare LT, %{{.*}}, %{{.*}} : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK-NEXT: stablehlo.return %{{.*}} : tensor<i1>
// CHECK: stablehlo.return %{{.*}}, %{{.*}} : tensor<i32>, tensor<8xf32>
// CHECK: return %{{.*}} : tensor<8xf32>
sdy.mesh @mesh = <["x"=2, "y"=4]>

func.func @main(%operand: tensor<8xf32>, %count: tensor<i32>) -> tensor<8xf32> {
  %0:2 = stablehlo.while(%i = %count, %value = %operand) : tensor<i32>, tensor<8xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      stablehlo.return %i, %value : tensor<i32>, tensor<8xf32>
    }
  %2 = sdy.data_flow_edge %0#0 : tensor<i32>
  %3 = sdy.data_flow_edge %0#1 sharding=<@mesh, [{"x"}]> : tensor<8xf32>
  return %3 : tensor<8xf32>
}
