// Marks the edges along which functions pass values.
// REQUIRES: pass-sdy-add-func-data-flow-edges
// RUN: stablehlo-opt %s --sdy-add-func-data-flow-edges | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(sdy-add-func-data-flow-edges)' | FileCheck %s

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT: %{{.*}} = call @callee(%{{.*}}) : (tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT: %{{.*}} = sdy.func_data_flow_edge %{{.*}} : tensor<8x8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8x8xf32>
// CHECK-LABEL: func.func private @callee
// CHECK-SAME: %{{.*}}: tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT: %{{.*}} = sdy.func_data_flow_edge %{{.*}} : tensor<8x8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8x8xf32>
sdy.mesh @mesh = <["x"=2, "y"=4]>

func.func @main(%operand: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = call @callee(%operand) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
func.func private @callee(%operand: tensor<8x8xf32>) -> tensor<8x8xf32> {
  return %operand : tensor<8x8xf32>
}
