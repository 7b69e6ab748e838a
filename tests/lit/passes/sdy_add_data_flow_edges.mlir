// Marks the edges along which ops with regions pass values.
// REQUIRES: anchor-sdy-add-data-flow-edges-module
// RUN: stablehlo-opt %s --sdy-add-data-flow-edges | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(sdy-add-data-flow-edges)' | FileCheck %s

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<i32>, %{{.*}}: tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT: %{{.*}} = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT: %{{.*}} = stablehlo.while(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : tensor<i32>, tensor<8x8xf32>
// CHECK: %{{.*}} = stablehlo.compare LT, %{{.*}}, %{{.*}} : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK-NEXT: stablehlo.return %{{.*}} : tensor<i1>
// CHECK: stablehlo.return %{{.*}}, %{{.*}} : tensor<i32>, tensor<8x8xf32>
// CHECK: %{{.*}} = sdy.data_flow_edge %{{.*}} : tensor<i32>
// CHECK-NEXT: %{{.*}} = sdy.data_flow_edge %{{.*}} : tensor<8x8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8x8xf32>
sdy.mesh @mesh = <["x"=2, "y"=4]>

func.func @main(%count: tensor<i32>, %operand: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %value = %operand) : tensor<i32>, tensor<8x8xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      stablehlo.return %i, %value : tensor<i32>, tensor<8x8xf32>
    }
  return %0#1 : tensor<8x8xf32>
}
