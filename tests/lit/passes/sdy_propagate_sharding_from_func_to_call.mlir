// Gives calls the result shardings of functions.
// REQUIRES: pass-sdy-propagate-sharding-from-func-to-call
// RUN: stablehlo-opt %s --sdy-propagate-sharding-from-func-to-call | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(sdy-propagate-sharding-from-func-to-call)' | FileCheck %s

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %{{.*}} = call @layer(%{{.*}}) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: return %{{.*}} : tensor<8xf32>
// CHECK-LABEL: func.func private @layer
// CHECK-SAME: %{{.*}}: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>})
// CHECK-NEXT: return %{{.*}} : tensor<8xf32>
sdy.mesh @mesh = <["x"=2, "y"=4]>

func.func @main(%operand: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @layer(%operand) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @layer(%operand: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) {
  return %operand : tensor<8xf32>
}
