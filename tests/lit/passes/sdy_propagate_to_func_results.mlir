// Gives functions the shardings of what they return.
// REQUIRES: pass-sdy-propagate-to-func-results
// RUN: stablehlo-opt %s --sdy-propagate-to-func-results | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(sdy-propagate-to-func-results)' | FileCheck %s

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %{{.*}} = call @layer(%{{.*}}) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8xf32>
// CHECK-LABEL: func.func private @layer
// CHECK-SAME: %{{.*}}: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>})
// CHECK-NEXT: %{{.*}} = stablehlo.tanh %{{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : tensor<8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8xf32>
sdy.mesh @mesh = <["x"=2, "y"=4]>

func.func @main(%operand: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @layer(%operand) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @layer(%operand: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %operand {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}
